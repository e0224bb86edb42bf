import { copyFile, lstat, mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { withFile } from '../archives/bytes.ts'
import type { OriginalFile, PrepareOptions, Probe } from '../converter.ts'
import { hasLongTables } from './check.ts'
import type { OfficeProfile } from './profile.ts'
import { runTask } from '../formats/run-task.ts'
import { chownToSelf, type Mount, type SandboxLimits } from '../sandbox/sandbox.ts'
import { readZip } from '../archives/zip.ts'

export interface OfficeJob {
  original: OriginalFile
  probe: Probe
  /** Receives the PDF. */
  folder: string
  limits: PrepareOptions
}

/** With the bytes that such a file starts with. */
const signatures = { pdf: '%PDF-', ods: 'PK\x03\x04' } as const
export type ResultFormat = keyof typeof signatures

/** The folders of one LibreOffice process, which converts one document. */
export interface WorkDir {
  mounts: Record<'in' | 'out' | 'profile' | 'fonts', Mount>
  /** A path for the /tmp of the process; not created. */
  scratch: string
  /** Copies the document into `in`; returns its name there. */
  putSource(job: OfficeJob): Promise<string>
  /** Moves the result, if there is one, into the job's folder; gives its path there. */
  takeResult(job: OfficeJob, result?: { name?: string; format?: ResultFormat }): Promise<string | undefined>
  remove(): Promise<void>
}

export async function createWorkDir(prefix: string, profile: OfficeProfile): Promise<WorkDir> {
  const root = await mkdtemp(prefix)
  const part = (name: string) => join(root, name)
  const remove = () => rm(root, { recursive: true, force: true })
  try {
    await Promise.all([mkdir(part('in')), mkdir(part('out')), profile.copyTo(part('profile'))])
  } catch (error) {
    await remove()
    throw error
  }
  return {
    mounts: {
      in: { path: part('in') },
      out: { path: part('out'), writable: true },
      profile: { path: part('profile'), writable: true },
      fonts: { path: profile.fontsFolder },
    },
    scratch: part('tmp'),
    putSource: async (job) => {
      const name = `source${job.probe.format === 'csv' ? '.xlsx' : job.probe.ext}`
      await copySource(job, join(part('in'), name))
      return name
    },
    takeResult: async (job, { format = 'pdf', name = `document.${format}` } = {}) => {
      const result = join(part('out'), `source.${format}`)
      if (!(await startsWith(result, signatures[format]))) return undefined
      const path = join(job.folder, name)
      await rename(result, path)
      await chownToSelf(path)
      return path
    },
    remove,
  }
}

export const officeLimits = { memoryBytes: 2e9, diskBytes: 600e6, processes: 512 } satisfies Omit<
  SandboxLimits,
  'timeoutMs'
>

/** Arguments that convert the document, by default to PDF; a filter may name some of its pages, or another format. */
export function convertArgs(name: string, at: (mount: string) => string, filter = 'pdf'): string[] {
  return ['--convert-to', filter, '--outdir', at('out'), `${at('in')}/${name}`]
}

/** A copy that the sandbox's user may own. CSV becomes a workbook; wide sheets are fitted to the page. */
async function copySource(job: OfficeJob, target: string): Promise<void> {
  const { original, probe } = job
  if (probe.format === 'csv') return runTask({ ...job, task: probe.ext === '.tsv' ? 'tsv' : 'csv', target })
  if (probe.ext === '.xlsx') return runTask({ ...job, task: 'xlsx', target })
  const isLong =
    (probe.ext === '.docx' || probe.ext === '.odt') &&
    (await withFile(original.path, async (bytes) => hasLongTables(await readZip(bytes))))
  if (isLong) await runTask({ ...job, task: 'tables' })
  await copyFile(original.path, target)
}

/** A regular file: a symlink made in the sandbox could lead to a file that is hidden there. */
async function startsWith(path: string, signature: string): Promise<boolean> {
  const entry = await lstat(path).catch(() => undefined)
  if (!entry?.isFile()) return false
  const file = await open(path, 'r')
  try {
    const { buffer } = await file.read(Buffer.alloc(signature.length), 0, signature.length, 0)
    return buffer.toString('latin1') === signature
  } finally {
    await file.close()
  }
}
