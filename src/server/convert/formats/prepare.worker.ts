import { bytesAt } from '../archives/bytes.ts'
import { Unconvertible } from '../converter.ts'
import { isTask, tasks } from './prepare-tasks.ts'

/** One preparation: the file is standard input; the task, where the result goes and a folder of other files are words. */

const [task = '', target = '', more = ''] = process.argv.slice(2)
if (!isTask(task)) throw new Error(`no task ${task}`)
try {
  await tasks[task]({ input: await bytesAt(0), target, more })
} catch (error) {
  if (!(error instanceof Unconvertible)) throw error
  console.log(`refused ${error.reason} ${error.detail.replace(/\s+/g, ' ').slice(0, 1000)}`)
  process.exitCode = 3
}
