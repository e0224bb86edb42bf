import { spawn } from 'node:child_process'
import { lchownSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { lchown } from 'node:fs/promises'
import { join } from 'node:path'
import { Unconvertible } from '../converter.ts'
import { findProgram } from './executables.ts'
import { residentBytes, writtenBytes } from './usage.ts'
import { enclose, sandboxUser, type Walls } from './isolation.ts'

/** A program that reads a stranger's file: what it may see, and how much it may take. */
export interface SandboxJob {
  program: string
  /** By name: files and folders of the job alone, since they are handed to the sandbox's user. */
  mounts: Record<string, Mount>
  /** `at(name)` is where the program finds a mount. */
  args: (at: At) => string[]
  env?: (at: At) => Record<string, string>
  /** An open file as standard input: it may belong to anybody, and cannot be written. */
  input?: number
  /** For a program of our own, which runs as we do: files and folders it is made of, seen where they lie. */
  code?: readonly string[]
  limits: SandboxLimits
  /** Ends it; the promise then fails with the signal's reason. */
  signal?: AbortSignal
}

export interface Mount {
  path: string
  writable?: boolean
  /** Where the program finds it when files are hidden; `/job/` and its name unless told. */
  at?: string
}

export type At = (mount: string) => string

export interface SandboxLimits {
  timeoutMs: number
  /** Processor time of any one process; twice the clock's unless told. */
  cpuMs?: number
  /** Resident bytes of all its processes together. */
  memory: number
  /** Address space, which most programs reserve beyond what they use; half as much again unless told. */
  reserved?: number
  /** Bytes in all writable mounts together, and in any one file. */
  written: number
  processes: number
}

export interface Outcome {
  /** 128 + the signal's number when one ended it. */
  code: number
  /** The limit that stopped it. */
  stopped?: Stop
  /** The beginning of what it said, on both streams. */
  output: string
}

export type Stop = 'timeout' | 'memory' | 'written'

/**
 * Runs it without network, other files or other processes in sight. The clock, a limit and our own end kill all that it
 * started. Throws when the walls cannot be put up.
 */
export async function runInSandbox(walls: Walls, job: SandboxJob): Promise<Outcome> {
  return startInSandbox(walls, job).ended
}

/** A program that may be told to begin later than it is started. */
export interface Running {
  /** What `runInSandbox` promises. */
  ended: Promise<Outcome>
  /** Sets the clock anew. */
  allow(timeoutMs: number): void
  kill(): void
}

export function startInSandbox(walls: Walls, job: SandboxJob): Running {
  job.signal?.throwIfAborted()
  const program = realpathSync(job.program)
  const hidden = walls === 'bubblewrap'
  const at: At = (name) => (hidden ? (job.mounts[name]?.at ?? `/job/${name}`) : (job.mounts[name]?.path ?? ''))
  const mounts = Object.entries(job.mounts).map(([name, { path, writable = false }]) => ({
    at: at(name),
    path,
    writable,
  }))
  if (hidden) for (const { path } of mounts) handOver(path, job.code ? 0 : sandboxUser)

  const env = { PATH: '/usr/bin:/bin', HOME: '/tmp', LANG: 'C.UTF-8', ...job.env?.(at) }
  const words = enclose[walls]({ program, env, mounts, code: job.code ?? [], scratchBytes: job.limits.written })
  const [command = '', ...args] = [...words, ...limitWords(job), job.program, ...job.args(at)]
  const child = spawn(command, args, { env, cwd: '/', detached: true, stdio: [job.input ?? 'ignore', 'pipe', 'pipe'] })

  let output = ''
  let stopped: Stop | undefined
  const kill = () => killGroup(child.pid)
  const stop = (limit: Stop) => {
    stopped ??= limit
    kill()
  }
  job.signal?.addEventListener('abort', kill)
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      if (output.length < outputLimit) output = (output + chunk.toString('utf8')).slice(0, outputLimit)
    })
  }
  const writable = mounts.filter((mount) => mount.writable).map(({ path }) => path)
  let clock = setTimeout(() => stop('timeout'), job.limits.timeoutMs)
  const watch = setInterval(() => {
    if (child.pid && residentBytes(child.pid) > job.limits.memory) stop('memory')
    if (writtenBytes(writable) > job.limits.written) stop('written')
  }, watchMs)

  const wait = async (): Promise<Outcome> => {
    try {
      const code = await new Promise<number>((resolve, reject) => {
        child.once('error', reject)
        child.once('close', (code, signal) => resolve(code ?? 128 + (signalNumbers[signal ?? ''] ?? 9)))
      })
      job.signal?.throwIfAborted()
      const limit = stopped ?? limitBySignal[code]
      return { code, output, ...(limit && { stopped: limit }) }
    } finally {
      job.signal?.removeEventListener('abort', kill)
      clearTimeout(clock)
      clearInterval(watch)
      kill()
    }
  }
  const allow = (timeoutMs: number) => {
    clearTimeout(clock)
    clock = setTimeout(() => stop('timeout'), timeoutMs)
  }
  return { ended: wait(), allow, kill }
}

const reasonOf = { timeout: 'timeout', memory: 'memory', written: 'tooLarge' } as const satisfies Record<Stop, string>

/** Why there is no result. Programs exit with 0 when they could not read a file, and die of what they cannot bear. */
export function failure({ stopped, code, output }: Outcome): Unconvertible {
  if (stopped) return new Unconvertible(reasonOf[stopped], output)
  if (/bad_alloc|out of memory/i.test(output)) return new Unconvertible('memory', output)
  if (/No space left|ENOSPC|EDQUOT/i.test(output)) return new Unconvertible('diskFull', output)
  return new Unconvertible(code === 0 || code === 1 ? 'damaged' : 'crashed', `code ${code}\n${output}`)
}

/** What is put into a mount later than at the start is handed over like the rest. */
export function handOver(path: string, user = sandboxUser): void {
  if (sandboxUser === undefined || user === undefined) return
  const entry = lstatSync(path)
  if (entry.uid === user) return
  if (entry.isDirectory()) for (const name of readdirSync(path)) handOver(join(path, name), user)
  lchownSync(path, user, user)
}

/** What the sandbox's user made becomes ours. */
export async function takeBack(path: string): Promise<void> {
  if (sandboxUser) await lchown(path, process.getuid?.() ?? 0, process.getgid?.() ?? 0)
}

let found: { walls: Promise<Walls>; until: number } | undefined

/** The walls this machine allows. What works is remembered; what does not is tried again later. */
export async function findWalls(): Promise<Walls> {
  if (!found || found.until < Date.now()) found = { walls: tryWalls(), until: Date.now() + 30_000 }
  const known = found
  const walls = await known.walls
  if (walls !== 'none') known.until = Infinity
  return walls
}

async function tryWalls(): Promise<Walls> {
  const limits = { timeoutMs: 10_000, memory: 1e9, written: 1e6, processes: 64 }
  for (const walls of ['bubblewrap', 'unshare'] as const) {
    try {
      const { code } = await runInSandbox(walls, { program: '/bin/true', mounts: {}, args: () => [], limits })
      if (code === 0) return walls
    } catch {
      // Not installed, or not allowed to start: the next walls.
    }
  }
  return 'none'
}

const outputLimit = 16_384
const watchMs = 150
const signalNumbers: Record<string, number> = { SIGABRT: 6, SIGKILL: 9, SIGSEGV: 11, SIGXCPU: 24, SIGXFSZ: 25 }
/** The kernel's own limits on processor time and file size end a program by these. */
const limitBySignal: Record<number, Stop> = { [128 + 24]: 'timeout', [128 + 25]: 'written' }

/** Address space is reserved far beyond what is used, so that limit is wider than the one on memory. */
function limitWords({ code, limits }: SandboxJob): string[] {
  const { timeoutMs, cpuMs = timeoutMs * 2, memory, reserved = memory * 1.5, written, processes } = limits
  const prlimit = findProgram('prlimit')
  if (!prlimit && code) return []
  if (!prlimit) throw new Unconvertible('noSandbox', 'prlimit is not installed')
  const cpuSeconds = Math.ceil(cpuMs / 1000)
  return [
    prlimit,
    `--as=${Math.ceil(reserved)}`,
    `--cpu=${cpuSeconds}:${cpuSeconds + 5}`,
    `--fsize=${written}`,
    `--nproc=${processes}`,
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
    // All of them are gone already.
  }
}
