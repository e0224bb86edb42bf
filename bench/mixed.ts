import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createUploadClient } from '../e2e/upload-client.ts'
import { mixedFiles, sendAll, type SendResult } from '../e2e/mixed-files.ts'
import { type Db, openDatabase } from '../src/server/db/open.ts'

/**
 * Many files of all kinds, one in twenty hostile: every good one is shown, every bad one gets a reason, no job and no
 * file is left over, and the memory of the server and all it starts stays flat. `--files 100` for a shorter run.
 */

const { values } = parseArgs({ options: { files: { type: 'string', default: '500' }, bad: { type: 'string' } } })
const files = Number(values.files)
const bad = Number(values.bad ?? Math.round(files / 20))
const dataDir = mkdtempSync(join(tmpdir(), 'wendou-bench-'))
const source = resolve(import.meta.dirname, '../src/server')
const password = 'bench-password'
const env = { ...process.env, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent', ADMIN_PASSWORD: password }
/** Growth from the second to the last quarter by more than both limits is not flat. */
const maxGrowth = 1.15
const maxGrowthMb = 24

const rows = {
  live: 'in use in the server',
  server: 'resident, with its garbage',
  all: 'resident, with children',
} satisfies Record<keyof Sample, string>

// The GC trace shows the live heap: resident memory also holds garbage that was not collected yet.
const command = ['--trace-gc', join(source, 'main.ts')]
const server = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'inherit'] })
let live = 0
server.stdout.on('data', (chunk) => {
  for (const [, megabytes] of String(chunk).matchAll(/Mark-Compact.*?-> ([\d.]+) /g)) live = Number(megabytes)
})
const { db } = openDatabase(join(dataDir, 'wendou.db'))
try {
  const url = await readAddress(server)
  await set('security.enable_captcha_login', 'false')
  await set('security.upload_count_every_day', '0')
  await setTimeout(500)
  const samples: Sample[] = []
  const sampling = setInterval(() => samples.push({ live, ...measureResident(server.pid ?? 0) }), 500)
  const startedAt = performance.now()
  const uploader = await createUploadClient(url, { username: 'admin', password })
  const results = await sendAll(uploader, mixedFiles({ files, bad, slow: true }))
  const seconds = (performance.now() - startedAt) / 1000
  clearInterval(sampling)
  const jobs = await jobsLeft(db)
  const left = leftovers()
  server.kill('SIGTERM')
  await once(server, 'exit')
  report({ results, seconds, samples, jobs, left: [...left, ...leftovers('convert')] })
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
  /** The server's heap after the latest garbage collection. */
  live: number
}

interface Outcome {
  results: SendResult
  seconds: number
  samples: Sample[]
  jobs: string[]
  left: string[]
}

function report({ results, seconds, samples, jobs, left }: Outcome): void {
  const { shown, failed, refused, surprises } = results
  const rate = (files / seconds).toFixed(1)
  console.log(`${files} files, ${bad} of them hostile, in ${seconds.toFixed(0)} s (${rate} a second)`)
  console.log(`  shown ${shown}, failed with a reason ${failed}, refused with a sentence ${refused}`)
  console.log(`  not as expected   ${surprises.length === 0 ? 'none' : `\n    ${surprises.join('\n    ')}`}`)
  console.log(`  jobs left         ${jobs.join(', ') || 'none'}`)
  console.log(`  files left        ${left.join(', ') || 'none'}`)
  const steady = Object.entries(rows).map(([part, name]) => {
    const quarters = [0, 1, 2, 3].map((quarter) => meanOfQuarter(samples, part as keyof Sample, quarter))
    const [, second = 0, , last = 0] = quarters
    const growth = last / (second || 1)
    const figures = quarters.map((mb) => mb.toFixed(0).padStart(6)).join('')
    console.log(`  MB, ${name.padEnd(26)}${figures}   ×${growth.toFixed(2)}`)
    return part === 'server' || growth <= maxGrowth || last - second <= maxGrowthMb
  })
  const flat = steady.every(Boolean)
  console.log(`  by quarters of the time; the last by the second at most ×${maxGrowth}: ${flat ? 'flat' : 'NOT FLAT'}`)
  process.exitCode = flat && surprises.length + jobs.length + left.length === 0 ? 0 : 1
}

function meanOfQuarter(samples: Sample[], part: keyof Sample, quarter: number): number {
  const at = (share: number) => Math.floor((samples.length * share) / 4)
  const slice = samples.slice(at(quarter), at(quarter + 1))
  return slice.reduce((sum, sample) => sum + sample[part], 0) / Math.max(1, slice.length)
}

/** Scheduled jobs may remain; jobs about documents must be done, and none may have failed. */
async function jobsLeft(db: Db): Promise<string[]> {
  const left = () =>
    db
      .selectFrom('job')
      .select(['kind', 'state', 'error'])
      .where(({ eb, or }) => or([eb('kind', 'like', 'renditions.%'), eb('state', '=', 'failed')]))
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

function readAddress(child: ChildProcess): Promise<string> {
  return new Promise((started, fail) => {
    let printed = ''
    child.once('exit', () => fail(new Error('the server did not start')))
    child.stdout?.on('data', (chunk) => {
      printed += String(chunk).slice(0, 10_000 - printed.length)
      const address = /http:\/\/localhost:\d+/.exec(printed)?.[0]
      if (address) started(address)
    })
  })
}

/** In MB: the server alone, and with its child processes. */
function measureResident(pid: number): Resident {
  const own = readRss(pid)
  return { server: own, all: listChildren(pid).reduce((sum, child) => sum + measureResident(child).all, own) }
}

function readRss(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readIfExists(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
}

function listChildren(pid: number): number[] {
  const tasks = unlessGone(() => readdirSync(`/proc/${pid}/task`)) ?? []
  return tasks.flatMap((task) =>
    readIfExists(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  )
}

function readIfExists(path: string): string {
  return unlessGone(() => readFileSync(path, 'utf8')) ?? ''
}

/** Processes may end while they are read. */
function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
