import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { type Db, openDatabase } from '#server/db/open.ts'
import { copyDatabase } from '#server/testing/databases/database.ts'

export type Engine = 'sqlite' | 'postgres'

/** Of journeys that do not name one: `JOURNEY_DATABASE=postgres` repeats them on the other. */
export const journeyEngine: Engine = process.env.JOURNEY_DATABASE === 'postgres' ? 'postgres' : 'sqlite'

/** A server as `npm start` starts it: its own process and data, used over the network. */
export interface RunningSite {
  url: string
  /** Everything it has printed. */
  output(): string
  db: Db
  process: ChildProcess
  dataDir: string
  databaseUrl: string
  /** Starts a second process on the same data. */
  startSecond(env?: Record<string, string>): Promise<RunningSite>
  stop(): Promise<void>
}

export async function startSite(
  engine: Engine = journeyEngine,
  env: Record<string, string> = {},
): Promise<RunningSite> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wendou-e2e-'))
  const copy = engine === 'postgres' ? await createPostgresDatabase() : undefined
  const databaseUrl = copy?.url ?? join(dataDir, 'wendou.db')
  const site = await run({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ...env })
  return {
    ...site,
    startSecond: (more = {}) => startOnSameData({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ...env, ...more }),
    async stop() {
      await site.stop()
      await copy?.remove()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A site that stops at the end of the test. */
export async function startSiteForTest(...options: Parameters<typeof startSite>): Promise<RunningSite> {
  const site = await startSite(...options)
  onTestFinished(() => site.stop())
  return site
}

async function createPostgresDatabase() {
  if (inject('database').engine !== 'postgres') throw new Error('journeys run beside a PostgreSQL server')
  return copyDatabase({ empty: true })
}

async function startOnSameData(env: Record<string, string>): Promise<RunningSite> {
  const site = await run(env)
  return { ...site, startSecond: () => startOnSameData(env) }
}

async function run(env: Record<string, string>): Promise<Omit<RunningSite, 'startSecond'>> {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, '../src/server/main.ts')], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'warn', NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const url = await new Promise<string>((ready, fail) => {
    child.stdout.on('data', () => {
      const address = /http:\/\/localhost:\d+/.exec(output)?.[0]
      if (address) ready(address)
    })
    child.once('exit', (code) => fail(new Error(`the server ended with ${code}: ${output}`)))
  })
  const { db } = openDatabase(env.DATABASE_URL ?? '')
  return {
    url,
    output: () => output,
    db,
    process: child,
    dataDir: env.DATA_DIR ?? '',
    databaseUrl: env.DATABASE_URL ?? '',
    async stop() {
      await db.destroy()
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
