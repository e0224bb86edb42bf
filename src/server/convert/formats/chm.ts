import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type JobLimits, type OriginalFile, Unconvertible } from '../converter.ts'
import { runTask } from './run-task.ts'
import { findExecutable } from '../sandbox/executables.ts'
import { runInSandbox, toUnconvertible } from '../sandbox/sandbox.ts'
import type { Isolation } from '../sandbox/isolation.ts'

interface ChmJob {
  original: OriginalFile
  folder: string
  limits: JobLimits
  isolation: Isolation
}

/** Unpacks a help file with 7-Zip in the sandbox; a child process then makes an EPUB of its pages. */
export async function chmToEpub({ original, folder, limits, isolation }: ChmJob, target: string): Promise<void> {
  const executable = findExecutable('7z', '7zz', '7za')
  if (!executable) throw new Unconvertible('noTool', '7z')
  const workDir = await mkdtemp(join(folder, 'chm-'))
  try {
    const [input, unpacked] = [join(workDir, 'in'), join(workDir, 'out')]
    await Promise.all([mkdir(input), mkdir(unpacked)])
    await copyFile(original.path, join(input, 'source.chm'))
    const result = await runInSandbox(isolation, {
      executable,
      mounts: { in: { path: input }, out: { path: unpacked, writable: true } },
      args: (at) => ['x', '-y', '-bd', '-tchm', `-o${at('out')}`, `${at('in')}/source.chm`],
      limits: { timeoutMs: limits.timeoutMs, memoryBytes: 1e9, diskBytes: 500e6, processes: 512 },
      ...(limits.signal && { signal: limits.signal }),
    })
    if (result.exceeded) throw toUnconvertible(result)
    // 7-Zip reports errors for many files that it unpacks well enough: the pages decide.
    const task = { task: 'chm', original, folder, limits, target, extraFolder: unpacked } as const
    await runTask(task).catch((error: unknown) => {
      if (!(error instanceof Unconvertible) || error.reason !== 'damaged') throw error
      throw new Unconvertible('damaged', `${error.detail}, code ${result.code}\n${result.output}`)
    })
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}
