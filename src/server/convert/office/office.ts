import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Prepared, Unconvertible } from '../converter.ts'
import { type AheadOptions, officeAhead } from './prewarmed.ts'
import { makeOfficeProfile, type OfficeProfile, officeStart } from './profile.ts'
import { makeRoom, type OfficeJob, pdfWords, roomLimits } from './workdir.ts'
import { findOffice } from '../sandbox/executables.ts'
import { failure, runInSandbox } from '../sandbox/sandbox.ts'
import { turns } from '../turns.ts'
import type { Walls } from '../sandbox/isolation.ts'

export interface Office {
  toPdf(job: OfficeJob): Promise<Prepared>
  close(): Promise<void>
}

export interface OfficeOptions {
  folder: string
  walls: () => Promise<Walls>
  /** How many documents at a time. */
  processes?: number
  program?: () => string | undefined
  ahead?: AheadOptions
}

/** One program for each document, behind walls, with settings of its own: nothing is shared and nothing stays. */
export function openOffice({ folder, walls, processes = 2, program = findOffice, ...options }: OfficeOptions): Office {
  const turn = turns(processes)
  const ahead = officeAhead(options.ahead)
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
        const given = { program: path, walls: kind, profile: await profileFor(path, kind) }
        await mkdir(job.folder, { recursive: true })
        const endsAt = Date.now() + job.limits.timeoutMs
        try {
          const made = await ahead.toPdf(job)
          if (made) return made
          return await convert(
            { ...job, limits: { ...job.limits, timeoutMs: Math.max(1, endsAt - Date.now()) } },
            given,
          )
        } finally {
          if (kind === 'bubblewrap') ahead.prepare({ ...given, timeoutMs: job.limits.timeoutMs })
        }
      }),
    close: async () => {
      await ahead.close()
      await (await making?.catch(() => undefined))?.remove()
    },
  }
}

async function convert(job: OfficeJob, given: { program: string; walls: Walls; profile: OfficeProfile }) {
  const room = await makeRoom(join(job.folder, 'office-'), given.profile)
  try {
    const name = await room.place(job)
    const outcome = await runInSandbox(given.walls, {
      program: given.program,
      mounts: room.mounts,
      env: officeStart.env,
      args: (at) => [...officeStart.args(at), ...pdfWords(name, at)],
      limits: { timeoutMs: job.limits.timeoutMs, ...roomLimits },
      ...(job.limits.signal && { signal: job.limits.signal }),
    })
    const made = outcome.stopped ? undefined : await room.take(job)
    if (!made) throw failure(outcome)
    return made
  } finally {
    await room.remove()
  }
}
