import { existsSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { failureReasons } from '#shared/conversion.ts'
import { type JobLimits, type OriginalFile, Unconvertible } from '../converter.ts'
import type { Task } from './prepare-tasks.ts'
import { detectIsolation, runInSandbox, toUnconvertible } from '../sandbox/sandbox.ts'
import type { Isolation } from '../sandbox/isolation.ts'

export interface TaskJob {
  task: Task
  original: OriginalFile
  /** For temporary files. */
  folder: string
  /** The path of the result; absent for a task that only checks the file. */
  target?: string
  /** A folder of other files that the task reads. */
  extraFolder?: string
  limits: JobLimits
  /** The best that this machine offers by default. */
  isolation?: Isolation
}

/**
 * Parses and rewrites a file in a child process, which sees that file and nothing else of the site. It runs even where
 * the machine offers no isolation: it is our own code, and Node's permission model forbids it to write elsewhere and to
 * start programs.
 */
export async function runTask(job: TaskJob): Promise<void> {
  const { task, original, folder, target, extraFolder, limits } = job
  await mkdir(folder, { recursive: true })
  const workDir = await mkdtemp(join(folder, 'prepare-'))
  const input = await open(original.path, 'r')
  try {
    const result = await runInSandbox(job.isolation ?? (await detectIsolation()), {
      executable: process.execPath,
      code: ownCode,
      stdin: input.fd,
      mounts: { out: { path: workDir, writable: true }, ...(extraFolder && { extra: { path: extraFolder } }) },
      args: (at) => [
        '--max-old-space-size=512',
        '--no-warnings',
        '--permission',
        '--allow-fs-read=*',
        `--allow-fs-write=${at('out')}`,
        join(import.meta.dirname, 'prepare.worker.ts'),
        task,
        `${at('out')}/result`,
        extraFolder ? at('extra') : '',
      ],
      // Node reserves far more address space than it uses: resident memory is the limit that counts.
      limits: {
        timeoutMs: limits.timeoutMs,
        memoryBytes: 768e6,
        addressSpaceBytes: 64e9,
        diskBytes: 600e6,
        processes: 512,
      },
      ...(limits.signal && { signal: limits.signal }),
    })
    if (result.exceeded || result.code !== 0) throw parseRefusal(result.output) ?? toUnconvertible(result)
    if (!target) return
    const path = join(workDir, 'result')
    if (!(await lstat(path)).isFile()) throw new Unconvertible('crashed', `${task} made no file`)
    await rename(path, target)
  } finally {
    await input.close()
    await rm(workDir, { recursive: true, force: true })
  }
}

/** The converter's code and the packages; not the project's folder, which may contain the site's data. */
const ownCode = (() => {
  const [project = ''] = import.meta.dirname.split(`${sep}src${sep}`)
  const [packagesParent = ''] = createRequire(import.meta.url)
    .resolve('fflate')
    .split(`${sep}node_modules${sep}`)
  const packages = [project, packagesParent]
    .map((folder) => join(folder, 'node_modules'))
    .filter((path) => existsSync(path))
  return [join(project, 'package.json'), dirname(import.meta.dirname), ...new Set(packages)]
})()

/** The line that the worker prints for an `Unconvertible`: its reason and detail. */
function parseRefusal(output: string): Unconvertible | undefined {
  const [, reason = '', detail = ''] = /^refused (\w+) (.*)$/m.exec(output) ?? []
  return isReason(reason) ? new Unconvertible(reason, detail) : undefined
}

function isReason(word: string): word is keyof typeof failureReasons {
  return Object.hasOwn(failureReasons, word)
}
