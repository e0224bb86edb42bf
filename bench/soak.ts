import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import {
  findDifferences,
  addContent,
  settingsForLoad,
  popularPaths,
  registerWriters,
  writeUntil,
  type LoadResult,
} from '../e2e/load-users.ts'
import { openDatabase } from '../src/server/db/open.ts'
import { startPostgres } from '../src/server/testing/databases/postgres.ts'
import { cpuMs, residentMb, startServer } from './server.ts'
import type { Load, Outcome } from './web-load.ts'

/**
 * Fifty members write without a pause and five hundred visitors read, for `MINUTES`: no request may fail or take long, and no
 * acknowledged write may be lost. `--postgres` uses a PostgreSQL server of its own.
 */

const { values } = parseArgs({
  options: {
    postgres: { type: 'boolean', default: false },
    writers: { type: 'string', default: '50' },
    readers: { type: 'string', default: '500' },
    /** Between two pages of a reader, in milliseconds. */
    pause: { type: 'string', default: '1000' },
  },
})
const forMs = Number(process.env.MINUTES || 10) * 60_000
const maxWaitMs = 10_000
const source = resolve(import.meta.dirname, '../src/server')
const folder = mkdtempSync(join(tmpdir(), 'wendou-soak-'))
const port = 20_000 + (process.pid % 20_000)
const url = `http://127.0.0.1:${port}`
const owner = { username: 'admin', password: 'bench-password' }
const postgres = values.postgres ? await startPostgres() : undefined
const databaseUrl = postgres?.url ?? join(folder, 'wendou.db')
const env = {
  ...process.env,
  PORT: String(port),
  HOST: '127.0.0.1',
  DATA_DIR: folder,
  DATABASE_URL: databaseUrl,
  ADMIN_PASSWORD: owner.password,
  NODE_ENV: 'production',
  TRUST_PROXY: '127.0.0.1',
  LOG_LEVEL: 'info',
}
const children: ChildProcess[] = []
const failures: string[] = []
try {
  await soak()
} finally {
  for (const child of children) child.kill('SIGKILL')
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
}
console.log(failures.length === 0 ? 'all well' : `MISSED:\n  ${failures.join('\n  ')}`)
process.exitCode = failures.length === 0 ? 0 : 1

async function soak(): Promise<void> {
  const server = await startServer(env, { url, logTo: join(folder, 'log') })
  children.push(server)
  for (const [name, value] of Object.entries(settingsForLoad)) cli('settings', 'set', name, value)
  await sleep(1000)
  const content = await addContent(url, owner, 10)
  const writers = await registerWriters(url, Number(values.writers))
  const readers = fork(resolve(import.meta.dirname, 'web-load.ts'))
  children.push(readers)
  await once(readers, 'message')

  const machine = `${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`
  console.log(
    `${values.writers} writers and ${values.readers} readers for ${forMs / 60_000} min on ${values.postgres ? 'PostgreSQL' : 'SQLite'}; ${machine}`,
  )
  const memory = [residentMb(server)]
  const cpu = cpuMs(server)
  const watching = setInterval(() => memory.push(residentMb(server)), 1000)
  const load: Load = {
    port,
    paths: popularPaths(content),
    connections: Number(values.readers),
    ms: forMs,
    pauseMs: Number(values.pause),
  }
  readers.send(load)
  const reading = once(readers, 'message')
  const end = performance.now() + forMs
  const written = await writeUntil(() => performance.now() >= end, writers, content)
  const [read] = (await reading) as [Outcome]
  clearInterval(watching)
  const share = (cpuMs(server) - cpu) / (read.seconds * 1000)

  report('readers', read.requests / read.seconds, read)
  report('writers', written.times.length / (forMs / 1000), toOutcome(written))
  const { comments, favorites, documents, signs, articles } = written
  console.log(
    `  acknowledged: ${comments} comments, ${favorites} favourites left, ${articles.size} articles, ${documents} documents, ${signs} check-ins`,
  )
  const rest = loadavg()[0]?.toFixed(1)
  console.log(`  the server used ${share.toFixed(2)} of a core; load ${rest}`)
  console.log(
    `  memory ${memory[0]} MB at first, ${Math.max(...memory)} MB at most, ${residentMb(server)} MB at the end`,
  )
  failures.push(...(await errorLogLines()))
  await checkData(written)
  server.kill('SIGTERM')
  const [code] = (await once(server, 'exit')) as [number]
  if (code !== 0) failures.push(`the server ended with ${code}`)
}

function report(
  label: string,
  rate: number,
  { errors, p50, p99, worst }: Pick<Outcome, 'errors' | 'p50' | 'p99' | 'worst'>,
) {
  const times = [p50, p99, worst].map((time) => `${time.toFixed(0)} ms`)
  console.log(
    `  ${label}: ${rate.toFixed(0)}/s, p50 ${times[0]}, p99 ${times[1]}, worst ${times[2]}, ${errors.length} errors`,
  )
  const kinds = new Map<string, number>()
  for (const error of errors) kinds.set(error, (kinds.get(error) ?? 0) + 1)
  for (const [kind, count] of kinds) failures.push(`${label}: ${count} times ${kind}`)
  if (worst > maxWaitMs) failures.push(`${label}: a request took ${times[2]}`)
}

function toOutcome({ times, errors }: LoadResult): Pick<Outcome, 'errors' | 'p50' | 'p99' | 'worst'> {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { errors, p50: at(0.5), p99: at(0.99), worst: at(1) }
}

/** The errors in the server's log, each once. */
async function errorLogLines(): Promise<string[]> {
  const wrong = new Map<string, number>()
  for await (const line of createInterface({ input: createReadStream(join(folder, 'log')) })) {
    if (!/"level":"(error|fatal)"|locked/.test(line)) continue
    const kind = line.replace(/"(time|id)":"[^"]*",?/g, '').slice(0, 300)
    wrong.set(kind, (wrong.get(kind) ?? 0) + 1)
  }
  return [...wrong].map(([kind, count]) => `${count} lines in the log like ${kind}`)
}

/** Every acknowledged write is there, and every counter and file is right. */
async function checkData(written: LoadResult): Promise<void> {
  const { db } = openDatabase(databaseUrl)
  try {
    failures.push(...(await findDifferences(db, written)))
    const jobs = await db
      .selectFrom('job')
      .select(['kind', 'state', ({ fn }) => fn.countAll<number>().as('count')])
      .groupBy(['kind', 'state'])
      .execute()
    console.log(
      `  jobs left: ${jobs.map(({ kind, state, count }) => `${count} ${kind} (${state})`).join(', ') || 'none'}`,
    )
    failures.push(...jobs.filter(({ state }) => state === 'failed').map(({ kind, count }) => `${count} failed ${kind}`))
  } finally {
    await db.destroy()
  }
  try {
    cli('check', '--quick')
  } catch (error) {
    failures.push(`check: ${(error as { stdout?: Buffer }).stdout?.toString().trim()}`)
  }
}

function cli(...words: string[]): void {
  execFileSync(process.execPath, [join(source, 'cli/main.ts'), ...words], { env, stdio: 'pipe' })
}
