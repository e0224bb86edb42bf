import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { type Db, openDatabase } from '#server/db/open.ts'
import { copyDatabase } from '#server/testing/database.ts'

export type Engine = 'sqlite' | 'postgres'

/** A server as `npm start` leaves it: its own process, its own data, spoken to over the network. */
export interface RunningSite {
  url: string
  /** Everything it has printed. */
  output(): string
  db: Db
  process: ChildProcess
  dataDir: string
  databaseUrl: string
  /** Starts a second process on the same data. */
  again(env?: Record<string, string>): Promise<RunningSite>
  stop(): Promise<void>
}

export async function startSite(engine: Engine = 'sqlite', env: Record<string, string> = {}): Promise<RunningSite> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wendou-e2e-'))
  const copy = engine === 'postgres' ? await onServer() : undefined
  const databaseUrl = copy?.url ?? join(dataDir, 'wendou.db')
  const site = await run({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ...env })
  return {
    ...site,
    again: (more = {}) => startAgain({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ...env, ...more }),
    async stop() {
      await site.stop()
      await copy?.remove()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A site that lasts as long as the test that asks for it. */
export async function siteForTest(...given: Parameters<typeof startSite>): Promise<RunningSite> {
  const site = await startSite(...given)
  onTestFinished(() => site.stop())
  return site
}

async function onServer() {
  if (inject('database').engine !== 'postgres') throw new Error('journeys run beside a PostgreSQL server')
  return copyDatabase({ empty: true })
}

async function startAgain(env: Record<string, string>): Promise<RunningSite> {
  const site = await run(env)
  return { ...site, again: () => startAgain(env) }
}

async function run(env: Record<string, string>): Promise<Omit<RunningSite, 'again'>> {
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
