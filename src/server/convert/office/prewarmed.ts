import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RenderSource } from '../converter.ts'
import { countPages, firstPagesCount, firstPagesFilter } from './first-pages.ts'
import { connectToOffice } from './ipc.ts'
import { officeLaunch, type OfficeProfile } from './profile.ts'
import { convertArgs, createWorkDir, type OfficeJob, officeLimits, type WorkDir } from './workdir.ts'
import { chownToSandbox, type SandboxProcess, startInSandbox, toUnconvertible } from '../sandbox/sandbox.ts'

/** A LibreOffice process that is started before its document arrives, which saves the document the start. */
export interface PrewarmedOffice {
  /** Undefined when no process is ready, or it made no PDF: a cold start then converts it, or finds the reason. */
  toPdf(job: OfficeJob): Promise<RenderSource | undefined>
  /** Starts a process for the next document, unless there is one; it exits when none arrives. */
  warmUp(options: LaunchOptions): void
  close(): Promise<void>
}

export interface PrewarmOptions {
  /** How long a process waits for a document. */
  idleMs?: number
  /** The start is delayed: rendering the last document's first pages comes first. */
  delayMs?: number
  /** Called whenever a process is ready. */
  onReady?: () => void
}

interface LaunchOptions {
  executable: string
  profile: OfficeProfile
  /** The timeout of a document. */
  timeoutMs: number
}

interface WarmProcess {
  workDir: WorkDir
  process: SandboxProcess
  cpuLimitMs: number
}

/**
 * Each process converts one document, in the same sandbox and with the same limits as a cold start. Needs bubblewrap:
 * the process is reached through the /tmp that it gets from us.
 */
export function prewarmedOffice({ idleMs = 300_000, delayMs = 300, onReady }: PrewarmOptions = {}): PrewarmedOffice {
  let ready: WarmProcess | undefined
  let starting: { done: Promise<void>; stop?: () => void } | undefined
  let timer: NodeJS.Timeout | undefined
  let failedStarts = 0
  let closed = false

  const dropWhenExited = async (warm: WarmProcess) => {
    await warm.process.exited.catch(() => undefined)
    if (ready !== warm) return
    ready = undefined
    await warm.workDir.remove()
  }
  const start = async (options: LaunchOptions) => {
    const warm = await launch(options)
    if (starting) starting.stop = warm.process.kill
    const exit = new AbortController()
    void warm.process.exited.catch(() => undefined).finally(() => exit.abort())
    const connection = closed ? undefined : await connectToOffice(warm.workDir.scratch, startTimeoutMs, exit.signal)
    connection?.close()
    failedStarts = connection ? 0 : failedStarts + 1
    if (!connection || closed) return stop(warm)
    ready = warm
    warm.process.resetTimeout(idleMs)
    void dropWhenExited(warm)
    onReady?.()
  }
  return {
    toPdf: async (job) => {
      const warm = ready
      if (!warm || warm.cpuLimitMs < job.limits.timeoutMs * 2) return undefined
      ready = undefined
      warm.process.resetTimeout(job.limits.timeoutMs)
      try {
        return await convert(job, warm)
      } finally {
        await stop(warm)
      }
    },
    warmUp: (options) => {
      if (closed || failedStarts >= maxFailedStarts || ready || starting || timer) return
      timer = setTimeout(() => {
        timer = undefined
        // A failure is not reported here: the cold start of the next document meets it again.
        const done = start(options)
          .catch(() => undefined)
          .finally(() => {
            starting = undefined
          })
        starting = { done }
      }, delayMs).unref()
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      starting?.stop?.()
      await starting?.done
      if (ready) await stop(ready)
    },
  }
}

const startTimeoutMs = 10_000
const connectTimeoutMs = 300
/** After so many in a row the program is taken for one without this protocol, and no longer prewarmed. */
const maxFailedStarts = 3

async function launch({ executable, profile, timeoutMs }: LaunchOptions): Promise<WarmProcess> {
  const workDir = await createWorkDir(join(profile.folder, 'warm-'), profile)
  // Twice what a document of this timeout needs: one with a somewhat longer timeout can be converted too.
  const cpuLimitMs = timeoutMs * 4
  try {
    await mkdir(workDir.scratch)
    const process = startInSandbox('bubblewrap', {
      executable,
      mounts: {
        ...workDir.mounts,
        warmUp: { path: profile.warmUpDocument, at: '/job/warm-up.docx' },
        tmp: { path: workDir.scratch, writable: true, at: '/tmp' },
      },
      env: officeLaunch.env,
      args: (at) => [...officeLaunch.args(at), at('warmUp')],
      limits: { timeoutMs: startTimeoutMs * 2, cpuMs: cpuLimitMs, ...officeLimits },
    })
    return { workDir, process, cpuLimitMs }
  } catch (error) {
    await workDir.remove()
    throw error
  }
}

/** First the early preview, then the whole document: it is loaded twice, so that its first pages are ready sooner. */
async function convert(job: OfficeJob, { workDir, process }: WarmProcess): Promise<RenderSource | undefined> {
  const { signal, timeoutMs, onFirstPages } = job.limits
  signal?.throwIfAborted()
  signal?.addEventListener('abort', process.kill)
  const runCommand = async (args: string[]) => {
    const connection = await connectToOffice(workDir.scratch, connectTimeoutMs)
    if (connection) await Promise.race([connection.send(args), process.exited])
    connection?.close()
    return connection !== undefined
  }
  try {
    const name = await workDir.putSource(job)
    chownToSandbox(join(workDir.mounts.in.path, name))
    process.resetTimeout(timeoutMs)
    const at = (mount: string) => `/job/${mount}`
    const filter = onFirstPages && firstPagesFilter(job.probe.ext)
    if (filter && (await runCommand(convertArgs(name, at, filter)))) {
      const preview = toSource(await workDir.takeResult(job, { name: 'first.pdf' }))
      if (preview && (await countPages(preview.path)) < firstPagesCount) return preview
      if (preview) onFirstPages(preview)
    }
    if (!(await runCommand(convertArgs(name, at)))) return undefined
    process.kill()
    const result = await process.exited
    signal?.throwIfAborted()
    if (result.exceeded) throw toUnconvertible(result)
    return toSource(await workDir.takeResult(job))
  } finally {
    signal?.removeEventListener('abort', process.kill)
  }
}

function toSource(path: string | undefined): RenderSource | undefined {
  return path === undefined ? undefined : { path, type: 'pdf' }
}

async function stop({ workDir, process }: WarmProcess): Promise<void> {
  process.kill()
  await process.exited.catch(() => undefined)
  await workDir.remove()
}
