import { existsSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { failureReasons } from '#shared/conversion.ts'
import { type Limits, type Source, Unconvertible } from '../converter.ts'
import type { Task } from './prepare-tasks.ts'
import { failure, findWalls, runInSandbox } from '../sandbox/sandbox.ts'
import type { Walls } from '../sandbox/isolation.ts'

export interface Preparation {
  task: Task
  source: Source
  /** For what is needed meanwhile. */
  folder: string
  /** Where the result shall be; nowhere when the file is only looked at. */
  target?: string
  /** A folder of other files that the task reads. */
  more?: string
  limits: Limits
  /** The best that this machine has unless told. */
  behind?: Walls
}

/**
 * Has a file read and rewritten by a process of its own, which sees that file and nothing else of the site. There is no
 * need of walls to begin: this is our own code, and Node keeps it from writing elsewhere and from starting programs.
 */
export async function prepareApart(job: Preparation): Promise<void> {
  const { task, source, folder, target, more, limits } = job
  await mkdir(folder, { recursive: true })
  const work = await mkdtemp(join(folder, 'prepare-'))
  const input = await open(source.path, 'r')
  try {
    const outcome = await runInSandbox(job.behind ?? (await findWalls()), {
      program: process.execPath,
      code: ownCode,
      input: input.fd,
      mounts: { out: { path: work, writable: true }, ...(more && { more: { path: more } }) },
      args: (at) => [
        '--max-old-space-size=512',
        '--no-warnings',
        '--permission',
        '--allow-fs-read=*',
        `--allow-fs-write=${at('out')}`,
        join(import.meta.dirname, 'prepare.worker.ts'),
        task,
        `${at('out')}/made`,
        more ? at('more') : '',
      ],
      // Node reserves far more than it uses, so the watch over what it uses is the limit.
      limits: { timeoutMs: limits.timeoutMs, memory: 768e6, reserved: 64e9, written: 600e6, processes: 512 },
      ...(limits.signal && { signal: limits.signal }),
    })
    if (outcome.stopped || outcome.code !== 0) throw refusalIn(outcome.output) ?? failure(outcome)
    if (!target) return
    const made = join(work, 'made')
    if (!(await lstat(made)).isFile()) throw new Unconvertible('crashed', `${task} made no file`)
    await rename(made, target)
  } finally {
    await input.close()
    await rm(work, { recursive: true, force: true })
  }
}

/** Not the project's folder, in which the site's data may lie. */
const ownCode = (() => {
  const [project = ''] = import.meta.dirname.split(`${sep}src${sep}`)
  const [home = ''] = createRequire(import.meta.url)
    .resolve('fflate')
    .split(`${sep}node_modules${sep}`)
  const packages = [project, home].map((folder) => join(folder, 'node_modules')).filter((path) => existsSync(path))
  return [join(project, 'package.json'), dirname(import.meta.dirname), ...new Set(packages)]
})()

/** A line of its own: the reason, then what is to be said of it. */
function refusalIn(output: string): Unconvertible | undefined {
  const [, reason = '', detail = ''] = /^refused (\w+) (.*)$/m.exec(output) ?? []
  return isReason(reason) ? new Unconvertible(reason, detail) : undefined
}

function isReason(word: string): word is keyof typeof failureReasons {
  return Object.hasOwn(failureReasons, word)
}
