import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sender } from '../e2e/files.ts'
import { mixture, sendAll, type Tally } from '../e2e/mixture.ts'
import { type Db, openDatabase } from '../src/server/db/open.ts'

/**
 * Many files of all kinds in a row, one in twenty hostile: every good one is shown, every bad one says why, no job and
 * no file is left over, and the memory of the server and all it starts stays flat. `--files 100` for a shorter run.
 */

const { values } = parseArgs({ options: { files: { type: 'string', default: '500' }, bad: { type: 'string' } } })
const files = Number(values.files)
const bad = Number(values.bad ?? Math.round(files / 20))
const dataDir = mkdtempSync(join(tmpdir(), 'wendou-bench-'))
const source = resolve(import.meta.dirname, '../src/server')
const password = 'bench-password'
const env = { ...process.env, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent', ADMIN_PASSWORD: password }
/** Grown by more than this between the second quarter and the last, and by more than some MB, is not flat. */
const mostGrowth = 1.15
const mostMb = 24

const rows = {
  live: 'in use in the server',
  server: 'resident, with its garbage',
  all: 'resident, with children',
} satisfies Record<keyof Sample, string>

// Told of each collection we know what is really in use: resident memory also holds garbage that nobody needed to clear.
const command = ['--trace-gc', join(source, 'main.ts')]
const server = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'inherit'] })
let live = 0
server.stdout.on('data', (chunk) => {
  for (const [, megabytes] of String(chunk).matchAll(/Mark-Compact.*?-> ([\d.]+) /g)) live = Number(megabytes)
})
const { db } = openDatabase(join(dataDir, 'wendou.db'))
try {
  const url = await addressOf(server)
  await set('security.enable_captcha_login', 'false')
  await set('security.upload_count_every_day', '0')
  await setTimeout(500)
  const samples: Sample[] = []
  const sampling = setInterval(() => samples.push({ live, ...residentOf(server.pid ?? 0) }), 500)
  const began = performance.now()
  const robot = await sender(url, { username: 'admin', password })
  const tally = await sendAll(robot, mixture({ files, bad, slow: true }))
  const seconds = (performance.now() - began) / 1000
  clearInterval(sampling)
  const jobs = await jobsLeft(db)
  const left = leftovers()
  server.kill('SIGTERM')
  await once(server, 'exit')
  report({ tally, seconds, samples, jobs, left: [...left, ...leftovers('convert')] })
} finally {
  await db.destroy()
  server.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
}

interface Resident {
  server: number
  all: number
}

interface Sample extends Resident {
  /** What was left in the server's heap after the latest collection. */
  live: number
}

interface Outcome {
  tally: Tally
  seconds: number
  samples: Sample[]
  jobs: string[]
  left: string[]
}

function report({ tally, seconds, samples, jobs, left }: Outcome): void {
  const { shown, failed, refused, surprises } = tally
  const rate = (files / seconds).toFixed(1)
  console.log(`${files} files, ${bad} of them hostile, in ${seconds.toFixed(0)} s (${rate} a second)`)
  console.log(`  shown ${shown}, failed with a reason ${failed}, refused with a sentence ${refused}`)
  console.log(`  not as expected   ${surprises.length === 0 ? 'none' : `\n    ${surprises.join('\n    ')}`}`)
  console.log(`  jobs left         ${jobs.join(', ') || 'none'}`)
  console.log(`  files left        ${left.join(', ') || 'none'}`)
  const steady = Object.entries(rows).map(([part, name]) => {
    const quarters = [0, 1, 2, 3].map((quarter) => meanOf(samples, part as keyof Sample, quarter))
    const [, second = 0, , last = 0] = quarters
    const growth = last / (second || 1)
    const figures = quarters.map((mb) => mb.toFixed(0).padStart(6)).join('')
    console.log(`  MB, ${name.padEnd(26)}${figures}   ×${growth.toFixed(2)}`)
    return part === 'server' || growth <= mostGrowth || last - second <= mostMb
  })
  const flat = steady.every(Boolean)
  console.log(`  by quarters of the time; the last by the second at most ×${mostGrowth}: ${flat ? 'flat' : 'NOT FLAT'}`)
  process.exitCode = flat && surprises.length + jobs.length + left.length === 0 ? 0 : 1
}

function meanOf(samples: Sample[], part: keyof Sample, quarter: number): number {
  const at = (share: number) => Math.floor((samples.length * share) / 4)
  const some = samples.slice(at(quarter), at(quarter + 1))
  return some.reduce((sum, sample) => sum + sample[part], 0) / Math.max(1, some.length)
}

/** Scheduled chores come and go; what concerns documents must be done, and nothing may have been given up. */
async function jobsLeft(db: Db): Promise<string[]> {
  const left = () =>
    db
      .selectFrom('job')
      .select(['kind', 'state', 'error'])
      .where(({ eb, or }) => or([eb('kind', 'like', 'document.%'), eb('state', '=', 'failed')]))
      .execute()
  for (let n = 0; n < 120 && (await left()).some(({ state }) => state !== 'failed'); n++) await setTimeout(500)
  return (await left()).map(({ kind, state, error }) => `${kind} ${state} ${error}`)
}

function leftovers(...more: string[]): string[] {
  return ['convert/jobs', 'tmp', ...more].flatMap((folder) => {
    const path = join(dataDir, folder)
    const names = existsSync(path) ? readdirSync(path) : []
    return names.filter((name) => name !== 'jobs').map((name) => `${folder}/${name}`)
  })
}

async function set(setting: string, value: string): Promise<void> {
  const command = spawn(process.execPath, [join(source, 'cli/main.ts'), 'settings', 'set', setting, value], { env })
  await once(command, 'exit')
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((found, fail) => {
    let printed = ''
    child.once('exit', () => fail(new Error('the server did not start')))
    child.stdout?.on('data', (chunk) => {
      printed += String(chunk).slice(0, 10_000 - printed.length)
      const address = /http:\/\/localhost:\d+/.exec(printed)?.[0]
      if (address) found(address)
    })
  })
}

/** In MB: of the server alone, and with everything it has started. */
function residentOf(pid: number): Resident {
  const own = rssOf(pid)
  return { server: own, all: childrenOf(pid).reduce((sum, child) => sum + residentOf(child).all, own) }
}

function rssOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
}

function childrenOf(pid: number): number[] {
  const tasks = unlessGone(() => readdirSync(`/proc/${pid}/task`)) ?? []
  return tasks.flatMap((task) => readOf(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number))
}

function readOf(path: string): string {
  return unlessGone(() => readFileSync(path, 'utf8')) ?? ''
}

/** Processes end while they are looked at. */
function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
