import { readerOfDescriptor } from '../archives/bytes.ts'
import { Unconvertible } from '../converter.ts'
import { isTask, tasks } from './prepare-tasks.ts'

/** Runs one task. The file is standard input; the arguments are the task, the path of the result and the extra folder. */

const [task = '', target = '', extraFolder = ''] = process.argv.slice(2)
if (!isTask(task)) throw new Error(`no task ${task}`)
try {
  await tasks[task]({ input: await readerOfDescriptor(0), target, extraFolder })
} catch (error) {
  if (!(error instanceof Unconvertible)) throw error
  console.log(`refused ${error.reason} ${error.detail.replace(/\s+/g, ' ').slice(0, 1000)}`)
  process.exitCode = 3
}
