import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Limits, type Source, Unconvertible } from '../converter.ts'
import { prepareApart } from './preparation.ts'
import { findProgram } from '../sandbox/executables.ts'
import { runInSandbox } from '../sandbox/sandbox.ts'
import type { Walls } from '../sandbox/isolation.ts'

/** Help files: unpacked behind walls, then made into a book by a process of its own. */
export async function chmToEpub(
  job: { source: Source; folder: string; limits: Limits; walls: Walls },
  target: string,
): Promise<void> {
  const program = findProgram('7z', '7zz', '7za')
  if (!program) throw new Unconvertible('noTool', '7z')
  const work = await mkdtemp(join(job.folder, 'chm-'))
  try {
    const [input, output] = [join(work, 'in'), join(work, 'out')]
    await Promise.all([mkdir(input), mkdir(output)])
    await copyFile(job.source.path, join(input, 'source.chm'))
    const {
      stopped,
      code,
      output: said,
    } = await runInSandbox(job.walls, {
      program,
      mounts: { in: { path: input }, out: { path: output, writable: true } },
      args: (at) => ['x', '-y', '-bd', '-tchm', `-o${at('out')}`, `${at('in')}/source.chm`],
      limits: { timeoutMs: job.limits.timeoutMs, memory: 1e9, written: 500e6, processes: 512 },
      ...(job.limits.signal && { signal: job.limits.signal }),
    })
    if (stopped) throw new Unconvertible(stopped === 'written' ? 'tooLarge' : stopped, said)
    await prepareApart({ ...job, task: 'chm', target, more: output }).catch((error: unknown) => {
      if (!(error instanceof Unconvertible) || error.reason !== 'damaged') throw error
      throw new Unconvertible('damaged', `${error.detail}, code ${code}\n${said}`)
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}
