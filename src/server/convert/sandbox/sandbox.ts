import { spawn } from 'node:child_process'
import { lchownSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { lchown } from 'node:fs/promises'
import { join } from 'node:path'
import { constants } from 'node:os'
import { Unconvertible } from '../converter.ts'
import { findExecutable } from './executables.ts'
import { type Isolation, sandboxUser, wrapCommand } from './isolation.ts'
import { diskUsage, residentBytes } from './usage.ts'

/** A program that parses an untrusted file: what it sees, and how much it may use. */
export interface SandboxJob {
  executable: string
  /** By name: files and folders of this job alone, since the sandbox's user becomes their owner. */
  mounts: Record<string, Mount>
  /** `at(name)` is the path of a mount inside the sandbox. */
  args: (at: MountPath) => string[]
  env?: (at: MountPath) => Record<string, string>
  /** The descriptor of a file that is open for reading, of any owner. */
  stdin?: number
  /** For a program of our own, which keeps our user id: the files and folders of its code, mounted at their own paths. */
  code?: readonly string[]
  limits: SandboxLimits
  /** Kills it; the promise then fails with the signal's reason. */
  signal?: AbortSignal
}

export interface Mount {
  path: string
  writable?: boolean
  /** Its path inside the sandbox when files are hidden; `/job/<name>` by default. */
  at?: string
}

export type MountPath = (mount: string) => string

export interface SandboxLimits {
  timeoutMs: number
  /** CPU time of any one process; twice the timeout by default. */
  cpuMs?: number
  /** Resident memory of all its processes together. */
  memoryBytes: number
  /** Address space, which most programs reserve far more of than they use; 1.5 times the memory by default. */
  addressSpaceBytes?: number
  /** In all writable mounts together, and in any one file. */
  diskBytes: number
  processes: number
}

export interface SandboxResult {
  /** 128 + the signal's number for a process that a signal killed. */
  code: number
  /** The limit that it was killed for. */
  exceeded?: SandboxLimit
  /** The beginning of both output streams. */
  output: string
}

export type SandboxLimit = 'timeout' | 'memory' | 'disk'

/**
 * Runs a program that sees no network, no other files and no other processes. A limit, the signal and the end of the
 * program kill everything it started. Throws when the isolation cannot be set up.
 */
export async function runInSandbox(isolation: Isolation, job: SandboxJob): Promise<SandboxResult> {
  return startInSandbox(isolation, job).exited
}

export interface SandboxProcess {
  /** The result of `runInSandbox`. */
  exited: Promise<SandboxResult>
  /** Starts the timeout again, with another length. */
  resetTimeout(timeoutMs: number): void
  kill(): void
}

export function startInSandbox(isolation: Isolation, job: SandboxJob): SandboxProcess {
  job.signal?.throwIfAborted()
  const executable = realpathSync(job.executable)
  const hidesFiles = isolation === 'bubblewrap'
  const at: MountPath = (name) => {
    const mount = job.mounts[name]
    return hidesFiles ? (mount?.at ?? `/job/${name}`) : (mount?.path ?? '')
  }
  const mounts = Object.entries(job.mounts).map(([name, { path, writable = false }]) => ({
    at: at(name),
    path,
    writable,
  }))
  if (hidesFiles) for (const { path } of mounts) chownToSandbox(path, job.code ? 0 : sandboxUser)

  const env = { PATH: '/usr/bin:/bin', HOME: '/tmp', LANG: 'C.UTF-8', ...job.env?.(at) }
  const wrapper = wrapCommand[isolation]({
    executable,
    env,
    mounts,
    code: job.code ?? [],
    scratchBytes: job.limits.diskBytes,
  })
  const [command = '', ...args] = [...wrapper, ...prlimitArgs(job), job.executable, ...job.args(at)]
  const child = spawn(command, args, { env, cwd: '/', detached: true, stdio: [job.stdin ?? 'ignore', 'pipe', 'pipe'] })

  let output = ''
  let exceeded: SandboxLimit | undefined
  const kill = () => killGroup(child.pid)
  const stopFor = (limit: SandboxLimit) => {
    exceeded ??= limit
    kill()
  }
  job.signal?.addEventListener('abort', kill)
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      if (output.length < maxOutputLength) output = (output + chunk.toString('utf8')).slice(0, maxOutputLength)
    })
  }
  const writablePaths = mounts.filter(({ writable }) => writable).map(({ path }) => path)
  let timeout = setTimeout(() => stopFor('timeout'), job.limits.timeoutMs)
  const usageCheck = setInterval(() => {
    if (child.pid && residentBytes(child.pid) > job.limits.memoryBytes) stopFor('memory')
    if (diskUsage(writablePaths) > job.limits.diskBytes) stopFor('disk')
  }, usageCheckMs)

  const waitForExit = async (): Promise<SandboxResult> => {
    try {
      const code = await new Promise<number>((resolve, reject) => {
        child.once('error', reject)
        child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']))
      })
      job.signal?.throwIfAborted()
      const limit = exceeded ?? limitByExitCode[code]
      return { code, output, ...(limit && { exceeded: limit }) }
    } finally {
      job.signal?.removeEventListener('abort', kill)
      clearTimeout(timeout)
      clearInterval(usageCheck)
      kill()
    }
  }
  const resetTimeout = (timeoutMs: number) => {
    clearTimeout(timeout)
    timeout = setTimeout(() => stopFor('timeout'), timeoutMs)
  }
  return { exited: waitForExit(), resetTimeout, kill }
}

const reasonByLimit = { timeout: 'timeout', memory: 'memory', disk: 'tooLarge' } as const satisfies Record<
  SandboxLimit,
  string
>

/** The reason why a program made no result. LibreOffice exits with 0 for a file that it cannot read. */
export function toUnconvertible({ exceeded, code, output }: SandboxResult): Unconvertible {
  if (exceeded) return new Unconvertible(reasonByLimit[exceeded], output)
  if (/bad_alloc|out of memory/i.test(output)) return new Unconvertible('memory', output)
  if (/No space left|ENOSPC|EDQUOT/i.test(output)) return new Unconvertible('diskFull', output)
  return new Unconvertible(code === 0 || code === 1 ? 'damaged' : 'crashed', `code ${code}\n${output}`)
}

/** Makes the sandbox's user the owner. Files that are put into a mount after the start need it too. */
export function chownToSandbox(path: string, user = sandboxUser): void {
  if (sandboxUser === undefined || user === undefined) return
  const entry = lstatSync(path)
  if (entry.uid === user) return
  if (entry.isDirectory()) for (const name of readdirSync(path)) chownToSandbox(join(path, name), user)
  lchownSync(path, user, user)
}

/** Makes the server's user the owner of a file that the sandbox's user created. */
export async function chownToSelf(path: string): Promise<void> {
  if (sandboxUser) await lchown(path, process.getuid?.() ?? 0, process.getgid?.() ?? 0)
}

let detection: { isolation: Promise<Isolation>; validUntil: number } | undefined

/** The best isolation that works on this machine; where none does, it is tried again after 30 s. */
export async function detectIsolation(): Promise<Isolation> {
  if (!detection || detection.validUntil < Date.now())
    detection = { isolation: tryIsolation(), validUntil: Date.now() + 30_000 }
  const current = detection
  const isolation = await current.isolation
  if (isolation !== 'none') current.validUntil = Infinity
  return isolation
}

async function tryIsolation(): Promise<Isolation> {
  const limits = { timeoutMs: 10_000, memoryBytes: 1e9, diskBytes: 1e6, processes: 64 }
  for (const isolation of ['bubblewrap', 'unshare'] as const) {
    try {
      const { code } = await runInSandbox(isolation, { executable: '/bin/true', mounts: {}, args: () => [], limits })
      if (code === 0) return isolation
    } catch {
      // Not installed, or not permitted.
    }
  }
  return 'none'
}

const maxOutputLength = 16_384
const usageCheckMs = 150
/** Exit codes of programs that the kernel ended at RLIMIT_CPU or RLIMIT_FSIZE. */
const limitByExitCode: Record<number, SandboxLimit> = {
  [128 + constants.signals.SIGXCPU]: 'timeout',
  [128 + constants.signals.SIGXFSZ]: 'disk',
}

function prlimitArgs({ code, limits }: SandboxJob): string[] {
  const { timeoutMs, cpuMs = timeoutMs * 2, memoryBytes, addressSpaceBytes = memoryBytes * 1.5 } = limits
  const prlimit = findExecutable('prlimit')
  if (!prlimit && code) return []
  if (!prlimit) throw new Unconvertible('noSandbox', 'prlimit is not installed')
  const cpuSeconds = Math.ceil(cpuMs / 1000)
  return [
    prlimit,
    `--as=${Math.ceil(addressSpaceBytes)}`,
    `--cpu=${cpuSeconds}:${cpuSeconds + 5}`,
    `--fsize=${limits.diskBytes}`,
    `--nproc=${limits.processes}`,
    '--core=0',
    '--nofile=1024',
    '--',
  ]
}

function killGroup(pid: number | undefined): void {
  if (!pid) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process group has exited already.
  }
}
