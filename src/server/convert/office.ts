import { existsSync } from 'node:fs'
import { copyFile, lstat, mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { withFile } from './bytes.ts'
import { type Limits, type Prepared, type Probe, type Source, Unconvertible } from './converter.ts'
import { hasLongTables } from './office-check.ts'
import { makeOfficeProfile, type OfficeProfile, officeStart } from './office-profile.ts'
import { prepareApart } from './preparation.ts'
import { findOffice } from './programs.ts'
import { failure, runInSandbox, takeBack } from './sandbox.ts'
import { turns } from './turns.ts'
import type { Walls } from './walls.ts'
import { readZip } from './zip.ts'

export interface Office {
  toPdf(job: OfficeJob): Promise<Prepared>
  close(): Promise<void>
}

export interface OfficeJob {
  source: Source
  probe: Probe
  folder: string
  limits: Limits
}

export interface OfficeOptions {
  folder: string
  walls: () => Promise<Walls>
  /** How many documents at a time. */
  processes?: number
  program?: () => string | undefined
}

/** One program for each document, behind walls, with settings of its own: nothing is shared and nothing stays. */
export function openOffice({ folder, walls, processes = 2, program = findOffice }: OfficeOptions): Office {
  const turn = turns(processes)
  let making: Promise<OfficeProfile> | undefined
  const profileFor = async (path: string, kind: Walls): Promise<OfficeProfile> => {
    const current = (making ??= makeOfficeProfile(folder, path, kind))
    const made = await current.catch((error: unknown) => {
      making = undefined
      throw error
    })
    if (existsSync(made.fonts)) return made
    if (making === current) making = undefined
    return profileFor(path, kind)
  }
  return {
    toPdf: (job) =>
      turn(async () => {
        job.limits.signal?.throwIfAborted()
        const path = program()
        if (!path) throw new Unconvertible('noTool', 'LibreOffice')
        const kind = await walls()
        return convert(job, { program: path, walls: kind, profile: await profileFor(path, kind) })
      }),
    close: async () => (await making?.catch(() => undefined))?.remove(),
  }
}

async function convert(job: OfficeJob, given: { program: string; walls: Walls; profile: OfficeProfile }) {
  await mkdir(job.folder, { recursive: true })
  const work = await mkdtemp(join(job.folder, 'office-'))
  try {
    const name = `source${job.probe.content === 'csv' ? '.xlsx' : job.probe.as}`
    const [input, output, settings] = ['in', 'out', 'profile'].map((part) => join(work, part)) as [
      string,
      string,
      string,
    ]
    await Promise.all([mkdir(input), mkdir(output), given.profile.copyTo(settings)])
    await placeSource(job, join(input, name))
    const outcome = await runInSandbox(given.walls, {
      program: given.program,
      mounts: {
        in: { path: input },
        out: { path: output, writable: true },
        profile: { path: settings, writable: true },
        fonts: { path: given.profile.fonts },
      },
      env: officeStart.env,
      args: (at) => [...officeStart.args(at), '--convert-to', 'pdf', '--outdir', at('out'), `${at('in')}/${name}`],
      limits: { timeoutMs: job.limits.timeoutMs, memory: 2e9, written: 600e6, processes: 512 },
      ...(job.limits.signal && { signal: job.limits.signal }),
    })
    const made = join(output, 'source.pdf')
    if (outcome.stopped || !(await isPdf(made))) throw failure(outcome)
    const path = join(job.folder, 'document.pdf')
    await rename(made, path)
    await takeBack(path)
    return { path, type: 'pdf' as const }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
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
