import { copyFile, lstat, mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { withFile } from '../archives/bytes.ts'
import type { Prepared, PrepareLimits, Probe, Source } from '../converter.ts'
import { hasLongTables } from './check.ts'
import type { OfficeProfile } from './profile.ts'
import { prepareApart } from '../formats/preparation.ts'
import { type Mount, type SandboxLimits, takeBack } from '../sandbox/sandbox.ts'
import { readZip } from '../archives/zip.ts'

export interface OfficeJob {
  source: Source
  probe: Probe
  folder: string
  limits: PrepareLimits
}

/** The folders of one office process, which sees one document. */
export interface Room {
  mounts: Record<'in' | 'out' | 'profile' | 'fonts', Mount>
  /** For what the process puts into /tmp; not made. */
  scratch: string
  /** Puts the document in, and says its name. */
  place(job: OfficeJob): Promise<string>
  /** The PDF that was made of it, if one was, in the job's folder. */
  take(job: OfficeJob, name?: string): Promise<Prepared | undefined>
  remove(): Promise<void>
}

export async function makeRoom(prefix: string, profile: OfficeProfile): Promise<Room> {
  const work = await mkdtemp(prefix)
  const part = (name: string) => join(work, name)
  const remove = () => rm(work, { recursive: true, force: true })
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
      fonts: { path: profile.fonts },
    },
    scratch: part('tmp'),
    place: async (job) => {
      const name = `source${job.probe.content === 'csv' ? '.xlsx' : job.probe.as}`
      await placeSource(job, join(part('in'), name))
      return name
    },
    take: async (job, name = 'document.pdf') => {
      const made = join(part('out'), 'source.pdf')
      if (!(await isPdf(made))) return undefined
      const path = join(job.folder, name)
      await rename(made, path)
      await takeBack(path)
      return { path, type: 'pdf' }
    },
    remove,
  }
}

export const roomLimits = { memory: 2e9, written: 600e6, processes: 512 } satisfies Omit<SandboxLimits, 'timeoutMs'>

/** What a command line says to have the document, or some of its pages, made into a PDF. */
export function pdfWords(name: string, at: (mount: string) => string, filter = 'pdf'): string[] {
  return ['--convert-to', filter, '--outdir', at('out'), `${at('in')}/${name}`]
}

/** A copy, for the sandbox's user to own; text in columns becomes a workbook, wide sheets are fitted to the page. */
async function placeSource(job: OfficeJob, target: string): Promise<void> {
  const { source, probe } = job
  if (probe.content === 'csv') return prepareApart({ ...job, task: probe.as === '.tsv' ? 'tsv' : 'csv', target })
  if (probe.as === '.xlsx') return prepareApart({ ...job, task: 'xlsx', target })
  const isLong =
    (probe.as === '.docx' || probe.as === '.odt') &&
    (await withFile(source.path, async (bytes) => hasLongTables(await readZip(bytes))))
  if (isLong) await prepareApart({ ...job, task: 'tables' })
  await copyFile(source.path, target)
}

/** A file itself: a link would lead out of the job's folder, to what the program was kept from. */
async function isPdf(path: string): Promise<boolean> {
  const entry = await lstat(path).catch(() => undefined)
  if (!entry?.isFile()) return false
  const file = await open(path, 'r')
  try {
    const { buffer } = await file.read(Buffer.alloc(5), 0, 5, 0)
    return buffer.toString('latin1') === '%PDF-'
  } finally {
    await file.close()
  }
}
