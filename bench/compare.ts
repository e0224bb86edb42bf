import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import { type Db, openDatabase } from '../src/server/db/open.ts'
import { seedDocuments } from '../src/server/testing/seed-documents.ts'
import { cpuMs, startServer } from './server.ts'
import type { Load, Outcome } from './web-load.ts'

export const comparePassword = 'bench-password'
const source = resolve(import.meta.dirname, '../src/server')
const metricsToken = 'bench-metrics'

/** With the CPU time of a request, which other processes on the machine hardly change. */
export interface Measurement extends Outcome {
  cpu: number
}

type LoadOptions = Partial<Load> & Pick<Load, 'paths'>

/** A site with many documents, a bare `node:http` server and a load generator, each in a process of its own. */
export interface Comparison {
  url: string
  server: ChildProcess
  /** Asks the site, or the bare server for what was copied to it. */
  load(options: LoadOptions): Promise<Measurement>
  loadBare(options: LoadOptions): Promise<Measurement>
  /** Copies a response of the site to the bare server; gives its size without compression. */
  copy(path: string): Promise<number>
  /** How many pages or replies the site has made; all others came from its cache. */
  made(kind: 'page' | 'reply'): Promise<number>
  /** Takes effect within a second. */
  set(settings: Record<string, string>): Promise<void>
  onDatabase<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Waits for the first jobs of the site: above all the indexing of its documents. */
  jobsDone(): Promise<void>
  /** The p99 of `/healthz` as another process sees it while `work` goes on. */
  beside<T>(work: () => Promise<T>): Promise<{ result: T; p99: number }>
  close(): void
}

/** The site logs to a file, as one with a service would. */
export async function openComparison(count: number): Promise<Comparison> {
  const folder = mkdtempSync(join(tmpdir(), 'wendou-bench-'))
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    ADMIN_PASSWORD: comparePassword,
    NODE_ENV: 'production',
    TRUST_PROXY: '127.0.0.1',
    METRICS_TOKEN: metricsToken,
    LOG_LEVEL: 'info',
  }
  const children: ChildProcess[] = []
  const keep = (child: ChildProcess) => {
    children.push(child)
    return child
  }
  const set = async (settings: Record<string, string>) => {
    for (const [name, value] of Object.entries(settings))
      execFileSync(process.execPath, [join(source, 'cli/main.ts'), 'settings', 'set', name, value], { env })
    await sleep(1000)
  }
  const onDatabase = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    const { db } = openDatabase(join(folder, 'wendou.db'), { durable: false })
    try {
      return await work(db)
    } finally {
      await db.destroy()
    }
  }

  // A new site adds its built-in content; the many documents are added while it is stopped.
  const first = keep(await startServer(env, { url, logTo: join(folder, 'log') }))
  await set({ 'security.enable_captcha_login': 'false', 'security.upload_count_every_day': '0' })
  first.kill('SIGTERM')
  await once(first, 'exit')
  await onDatabase((db) => seedDocuments(db, count))
  const server = keep(await startServer(env, { url, logTo: join(folder, 'log') }))
  const bare = keep(fork(resolve(import.meta.dirname, 'web-bare.ts')))
  const [barePort] = (await once(bare, 'message')) as [number]
  const generator = keep(fork(resolve(import.meta.dirname, 'web-load.ts')))
  await once(generator, 'message')

  const run = async (to: number, target: ChildProcess, options: LoadOptions): Promise<Measurement> => {
    const before = cpuMs(target)
    generator.send({ port: to, connections: 50, ms: 4000, ...options } satisfies Load)
    const [outcome] = (await once(generator, 'message')) as [Outcome]
    return { ...outcome, cpu: (cpuMs(target) - before) / outcome.requests }
  }

  return {
    url,
    server,
    load: (options) => run(port, server, options),
    loadBare: (options) => run(barePort, bare, options),
    async copy(path) {
      const { headers, body } = await read(url, path)
      const fields = Object.entries(headers).filter(([name]) => !/^(date|connection|keep-alive)$/.test(name))
      bare.send({ path, headers: Object.fromEntries(fields), body: body.toString('base64') })
      await once(bare, 'message')
      return headers['content-encoding'] === 'br' ? brotliDecompressSync(body).length : body.length
    },
    async made(kind) {
      const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
      const name = { page: 'wendou_pages_rendered_total', reply: 'wendou_replies_made_total' }[kind]
      const counts = (await response.text()).matchAll(new RegExp(`^${name}\\{.*\\} (\\d+)$`, 'gm'))
      return [...counts].reduce((sum, [, value]) => sum + Number(value), 0)
    },
    set,
    onDatabase,
    async jobsDone() {
      const waiting = () =>
        onDatabase((db) =>
          db.selectFrom('job').select('id').where('state', '<>', 'failed').where('run_at', '<=', Date.now()).execute(),
        )
      for (let tries = 0; tries < 1200 && (await waiting()).length > 0; tries++) await sleep(1000)
    },
    async beside(work) {
      const visitor = keep(
        fork(resolve(import.meta.dirname, 'visitor.ts'), { env: { ...process.env, VISIT: `${url}/healthz` } }),
      )
      await once(visitor, 'message')
      const result = await work()
      const report = once(visitor, 'message')
      visitor.send('enough')
      const [p99] = (await report) as [number]
      return { result, p99 }
    },
    close() {
      for (const child of children) child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function read(url: string, path: string): Promise<{ headers: Record<string, string>; body: Buffer }> {
  return new Promise((done, fail) => {
    get(`${url}${path}`, { headers: { 'accept-encoding': 'gzip, br' } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        if (response.statusCode !== 200) return fail(new Error(`${path}: ${response.statusCode}`))
        done({ headers: response.headers as Record<string, string>, body: Buffer.concat(chunks) })
      })
    }).on('error', fail)
  })
}

/** The median of the ratios of each round, by time and by CPU time: the site is asked right after the bare server. */
export async function compareKept(
  { load, loadBare }: Comparison,
  path: string,
  { rounds, ms }: { rounds: number; ms: number },
): Promise<{ ratio: number; byCpu: number; ours: Measurement; theirs: Measurement }> {
  const measured: { ours: Measurement; theirs: Measurement }[] = []
  await load({ paths: [path], ms: 1000 })
  await loadBare({ paths: [path], ms: 500 })
  for (let round = 0; round < rounds; round++) {
    const theirs = await loadBare({ paths: [path], ms })
    // A stale answer is revalidated first.
    await load({ paths: [path], ms: 300 })
    measured.push({ theirs, ours: await load({ paths: [path], ms }) })
  }
  const middle = measured.toSorted((a, b) => rate(a.ours) / rate(a.theirs) - rate(b.ours) / rate(b.theirs))[
    Math.floor(rounds / 2)
  ]
  if (!middle) throw new Error('no round')
  return {
    ...middle,
    ratio: rate(middle.ours) / rate(middle.theirs),
    byCpu: median(measured.map(({ ours, theirs }) => theirs.cpu / ours.cpu)),
  }
}

export function rate({ requests, seconds }: Outcome): number {
  return requests / seconds
}

export function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

export function ms(time: number): string {
  return `${time.toFixed(1)} ms`
}

export function kb(bytes: number): string {
  return `${(bytes / 1024).toFixed(0)} KB`
}

export function figures(outcome: Outcome): string {
  return `${rate(outcome).toFixed(0).padStart(6)}/s (${ms(outcome.p99)})`
}
