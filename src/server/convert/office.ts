import { existsSync } from 'node:fs'
import { copyFile, lstat, mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Limits, type Prepared, type Probe, type Source, Unconvertible } from './converter.ts'
import { csvToXlsx, separatorOf } from './csv.ts'
import { decodeText } from './decode.ts'
import { makeOfficeProfile, type OfficeProfile, officeStart } from './office-profile.ts'
import { findOffice } from './programs.ts'
import { type Outcome, runInSandbox, type Stop, takeBack } from './sandbox.ts'
import { fitSheets } from './sheet-pages.ts'
import { turns } from './turns.ts'
import type { Walls } from './walls.ts'

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
      limits: { timeoutMs: job.limits.timeoutMs, memory: 2e9, written: 600e6, processes: 128 },
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
async function placeSource({ source, probe }: OfficeJob, path: string): Promise<void> {
  if (probe.as === '.xlsx') return fitSheets(source.path, path)
  if (probe.content !== 'csv') return copyFile(source.path, path)
  if (source.size > 32e6) throw new Unconvertible('tooLarge', 'csv')
  const { text } = decodeText(await readFile(source.path))
  await writeFile(path, csvToXlsx(text, probe.as === '.tsv' ? '\t' : separatorOf(text)))
}

const reasonOf = { timeout: 'timeout', memory: 'memory', written: 'tooLarge' } as const satisfies Record<Stop, string>

/** It exits with 0 when it could not read a file, and dies of what it cannot bear. */
function failure({ stopped, code, output }: Outcome): Unconvertible {
  if (stopped) return new Unconvertible(reasonOf[stopped], output)
  if (/bad_alloc|out of memory/i.test(output)) return new Unconvertible('memory', output)
  if (/No space left/i.test(output)) return new Unconvertible('diskFull', output)
  return new Unconvertible(code === 0 || code === 1 ? 'damaged' : 'crashed', `code ${code}\n${output}`)
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
