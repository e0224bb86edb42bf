import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { type RenderSource, Unconvertible } from '../converter.ts'
import { prewarmedOffice, type PrewarmOptions } from './prewarmed.ts'
import { createOfficeProfile, officeLaunch, type OfficeProfile } from './profile.ts'
import { convertArgs, createWorkDir, type OfficeJob, officeLimits, type ResultFormat } from './workdir.ts'
import { findOffice } from '../sandbox/executables.ts'
import { runInSandbox, toUnconvertible } from '../sandbox/sandbox.ts'
import type { Isolation } from '../sandbox/isolation.ts'

export interface Office {
  toPdf(job: OfficeJob): Promise<RenderSource>
  /** A spreadsheet in OpenDocument format; gives its path in the job's folder. No reader waits for it. */
  toOpenDocument(job: OfficeJob): Promise<string>
  close(): Promise<void>
}

export interface OfficeOptions {
  workDir: string
  isolation: () => Promise<Isolation>
  /** How many documents are converted at the same time. */
  processes?: number
  executable?: () => string | undefined
  prewarm?: PrewarmOptions
}

interface LaunchOptions {
  executable: string
  isolation: Isolation
  profile: OfficeProfile
}

/** Converts each document in a LibreOffice process of its own: prewarmed if one is ready, else by a cold start. */
export function openOffice(options: OfficeOptions): Office {
  const limit = pLimit(options.processes ?? 2)
  const prewarmed = prewarmedOffice(options.prewarm)
  let creation: Promise<OfficeProfile> | undefined
  const getProfile = async (executable: string, isolation: Isolation): Promise<OfficeProfile> => {
    const current = (creation ??= createOfficeProfile(options.workDir, executable, isolation))
    const profile = await current.catch((error: unknown) => {
      creation = undefined
      throw error
    })
    if (existsSync(profile.fontsFolder)) return profile
    // The temporary files were cleaned up while the server ran.
    if (creation === current) creation = undefined
    return getProfile(executable, isolation)
  }
  const prepareLaunch = async ({ folder, limits }: OfficeJob): Promise<LaunchOptions> => {
    limits.signal?.throwIfAborted()
    const executable = (options.executable ?? findOffice)()
    if (!executable) throw new Unconvertible('noTool', 'LibreOffice')
    const isolation = await options.isolation()
    const launch = { executable, isolation, profile: await getProfile(executable, isolation) }
    await mkdir(folder, { recursive: true })
    return launch
  }
  return {
    toPdf: (job) =>
      limit(async () => {
        const { timeoutMs } = job.limits
        const launch = await prepareLaunch(job)
        const deadline = Date.now() + timeoutMs
        try {
          const source = await prewarmed.toPdf(job)
          if (source) return source
          const limits = { ...job.limits, timeoutMs: Math.max(1, deadline - Date.now()) }
          return { path: await coldStart({ ...job, limits }, launch, 'pdf'), type: 'pdf' }
        } finally {
          if (launch.isolation === 'bubblewrap') prewarmed.warmUp({ ...launch, timeoutMs })
        }
      }),
    // By a cold start: the prewarmed process is for the next document whose pages a reader waits for.
    toOpenDocument: (job) => limit(async () => coldStart(job, await prepareLaunch(job), 'ods')),
    close: async () => {
      await prewarmed.close()
      await (await creation?.catch(() => undefined))?.remove()
    },
  }
}

/** Gives the path of the result. */
async function coldStart(job: OfficeJob, launch: LaunchOptions, format: ResultFormat): Promise<string> {
  const workDir = await createWorkDir(join(job.folder, 'office-'), launch.profile)
  try {
    const name = await workDir.putSource(job)
    const result = await runInSandbox(launch.isolation, {
      executable: launch.executable,
      mounts: workDir.mounts,
      env: officeLaunch.env,
      args: (at) => [...officeLaunch.args(at), ...convertArgs(name, at, format)],
      limits: { timeoutMs: job.limits.timeoutMs, ...officeLimits },
      ...(job.limits.signal && { signal: job.limits.signal }),
    })
    const path = result.exceeded ? undefined : await workDir.takeResult(job, { format })
    if (!path) throw toUnconvertible(result)
    return path
  } finally {
    await workDir.remove()
  }
}
