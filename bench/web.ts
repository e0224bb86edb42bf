import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { brotliDecompressSync } from 'node:zlib'
import { type UploadClient, createUploadClient } from '../e2e/upload-client.ts'
import { mixedFiles, sendAll } from '../e2e/mixed-files.ts'
import { articles } from '../src/shared/contract/articles.ts'
import { documents } from '../src/shared/contract/documents.ts'
import { type Db, openDatabase } from '../src/server/db/open.ts'
import { paragraphs } from '../src/server/samples/prose.ts'
import { makePdf } from '../src/server/samples/pdf.ts'
import { seededIds, seedDocuments } from '../src/server/testing/seed-documents.ts'
import { cpuMs, residentMb, startServer } from './server.ts'
import type { Load, Outcome } from './web-load.ts'

/**
 * Pages of a site with 10,000 documents, cached and uncached, compared with the same bytes from a bare `node:http` server, each
 * in a process of its own; then 200 connections while documents are uploaded and converted. The site logs to a file.
 */

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    minute: { type: 'string', default: '60' },
  },
})
const source = resolve(import.meta.dirname, '../src/server')
const folder = mkdtempSync(join(tmpdir(), 'wendou-bench-'))
const password = 'bench-password'
const port = 20_000 + (process.pid % 20_000)
const url = `http://127.0.0.1:${port}`
const bars = { cached: 0.5, uncachedMs: 15, html: 80 * 1024, errors: 0 }
const failures: string[] = []

const env = {
  ...process.env,
  PORT: String(port),
  HOST: '127.0.0.1',
  DATA_DIR: folder,
  ADMIN_PASSWORD: password,
  NODE_ENV: 'production',
  TRUST_PROXY: '127.0.0.1',
  LOG_LEVEL: 'info',
}
const children: ChildProcess[] = []
try {
  await measure()
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
console.log(failures.length === 0 ? 'all bars hold' : `MISSED:\n  ${failures.join('\n  ')}`)
process.exitCode = failures.length === 0 ? 0 : 1

async function measure(): Promise<void> {
  await seedSite()
  const server = await startServer(env, { url, logTo: join(folder, 'log') })
  children.push(server)
  const uploader = await openUploader()
  const pages = await preparePages(uploader)
  await waitForJobs()
  const load = await startLoad()
  const bare = await startBare()
  console.log(
    `${values.documents} documents, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}; idle ${residentMb(server)} MB`,
  )

  // Warm-up: the server that is measured first would be slow until its code is compiled.
  for (const to of [port, bare.port])
    await runLoad(load, { port: to, paths: [await copyWarmUpPage(bare, pages)], ms: 3000 })
  console.log('\ncached pages, 50 connections: requests/s (p99), the same bytes from bare node:http, ratio')
  for (const [name, path] of Object.entries(pages)) {
    const html = await copyPage(bare, path)
    if (html > bars.html) failures.push(`${name}: ${html} bytes of HTML`)
    const ratios: number[] = []
    const costs: number[] = []
    let [ours, theirs] = [await runLoad(load, { port, paths: [path], ms: 1000 }), undefined as Measurement | undefined]
    await runLoad(load, { port: bare.port, paths: [path], ms: 500 })
    for (let round = 0; round < Number(values.rounds); round++) {
      theirs = await runLoad(load, { port: bare.port, paths: [path] })
      // A stale page is revalidated first.
      await runLoad(load, { port, paths: [path], ms: 300 })
      ours = await runLoad(load, { port, paths: [path] })
      ratios.push(rate(ours) / rate(theirs))
      costs.push(theirs.cpu / ours.cpu)
    }
    const ratio = median(ratios)
    const cost = `by CPU time ${median(costs).toFixed(2)}`
    console.log(
      `  ${name.padEnd(9)}${figures(ours)} ${figures(theirs)}  ${ratio.toFixed(2)}, ${cost}  ${kb(html)} of HTML`,
    )
    if (ratio < bars.cached) failures.push(`${name}: ${ratio.toFixed(2)} of bare node:http`)
  }
  console.log(`  memory ${residentMb(server)} MB`)

  console.log('\nuncached: one at a time p50 and p99, eight at a time requests/s (p99)')
  for (const [name, path] of Object.entries(pages)) {
    await runLoad(load, { port, paths: [path], connections: 1, uniqueEvery: 1, ms: 1000 })
    const alone = await runLoad(load, { port, paths: [path], connections: 1, uniqueEvery: 1 })
    const eight = await runLoad(load, { port, paths: [path], connections: 8, uniqueEvery: 1 })
    const times = `${ms(alone.p50)} ${ms(alone.p99)} (${ms(alone.cpu)} of CPU)`
    console.log(`  ${name.padEnd(9)} ${times}   ${figures(eight)}`)
    if (alone.p50 > bars.uncachedMs) failures.push(`${name}: p50 ${ms(alone.p50)} uncached`)
  }
  console.log(`  memory ${residentMb(server)} MB`)

  const seconds = Number(values.minute)
  let peak = 0
  const watching = setInterval(() => (peak = Math.max(peak, residentMb(server))), 250)
  const uploading = uploadFor(uploader, seconds * 1000)
  const mixed = await runLoad(load, {
    port,
    paths: Object.values(pages),
    connections: 200,
    uniqueEvery: 50,
    ms: seconds * 1000,
  })
  clearInterval(watching)
  const { shown, failed, refused } = await uploading
  console.log(
    `\n200 connections for ${seconds} s, one request in 50 uncached, while ${shown + failed} documents were converted:`,
  )
  console.log(`  ${figures(mixed)}, p50 ${ms(mixed.p50)}, worst ${ms(mixed.worst)}, ${mixed.errors.length} errors`)
  console.log(
    `  shown ${shown}, failed ${failed}, refused ${refused}; memory at most ${peak} MB, then ${residentMb(server)} MB`,
  )
  if (failed + refused > 0) failures.push(`${failed + refused} documents did not arrive`)

  async function runLoad(
    generator: ChildProcess,
    options: Partial<Load> & Pick<Load, 'port' | 'paths'>,
  ): Promise<Measurement> {
    const target = options.port === port ? server : bare.process
    const before = cpuMs(target)
    generator.send({ connections: 50, ms: Number(values.seconds) * 1000, uniqueEvery: 0, ...options } satisfies Load)
    const [outcome] = (await once(generator, 'message')) as [Outcome]
    const { errors, requests } = outcome
    if (errors.length > bars.errors) failures.push(`${options.paths[0]}: ${errors.length} errors, like ${errors[0]}`)
    return { ...outcome, cpu: (cpuMs(target) - before) / requests }
  }
}

/** Lets a new site add its built-in content, then adds the many documents while it is stopped. */
async function seedSite(): Promise<void> {
  const server = await startServer(env, { url, logTo: join(folder, 'log') })
  children.push(server)
  for (const [name, value] of [
    ['security.enable_captcha_login', 'false'],
    ['security.upload_count_every_day', '0'],
  ] as const)
    execFileSync(process.execPath, [join(source, 'cli/main.ts'), 'settings', 'set', name, value], { env })
  server.kill('SIGTERM')
  await once(server, 'exit')
  await onDatabase((db) => seedDocuments(db, Number(values.documents)))
}

async function onDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const { db } = openDatabase(join(folder, 'wendou.db'), { durable: false })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** Publishes into the largest category: a site with categories requires one. */
async function openUploader(): Promise<UploadClient> {
  const uploader = await createUploadClient(url, { username: 'admin', password })
  return {
    ...uploader,
    async create(attachments) {
      const document = attachments.map((attachment_id) => ({ attachment_id }))
      const created = await uploader.call(documents.create, { category_id: [seededIds.large], document })
      return created.document
    },
  }
}

/** The most visited pages, each with real content. */
async function preparePages(uploader: UploadClient): Promise<Record<string, string>> {
  const pdf = makePdf({ pages: 12 })
  const { id } = await uploader.upload('一份真正的文档.pdf', pdf)
  const [document] = await uploader.create([id])
  await uploader.waitUntilFinished([document?.id ?? 0])
  const content = paragraphs(20)
    .map((text) => `<p>${text}</p>`)
    .join('')
  const article = await uploader.call(articles.create, {
    title: '一篇文章',
    content,
    description: '几句话',
    keywords: '文章',
  })
  return {
    home: '/',
    category: `/category/${seededIds.large}`,
    document: `/document/${document?.uuid}`,
    article: `/article/${article.identifier}`,
    search: `/search?wd=${encodeURIComponent('文档')}`,
  }
}

/** Waits for the first jobs of the site: above all the indexing of its documents. */
async function waitForJobs(): Promise<void> {
  const waiting = () =>
    onDatabase((db) =>
      db.selectFrom('job').select('id').where('state', '<>', 'failed').where('run_at', '<=', Date.now()).execute(),
    )
  for (let tries = 0; tries < 600 && (await waiting()).length > 0; tries++) await sleep(1000)
}

interface Bare {
  process: ChildProcess
  port: number
}

async function startBare(): Promise<Bare> {
  const child = fork(resolve(import.meta.dirname, 'web-bare.ts'))
  children.push(child)
  const [at] = (await once(child, 'message')) as [number]
  return { process: child, port: at }
}

async function startLoad(): Promise<ChildProcess> {
  const child = fork(resolve(import.meta.dirname, 'web-load.ts'))
  children.push(child)
  await once(child, 'message')
  return child
}

async function copyWarmUpPage(bare: Bare, pages: Record<string, string>): Promise<string> {
  const path = pages['article'] ?? '/'
  await copyPage(bare, path)
  return path
}

/** Copies a response of the site to the bare server; gives the size of its HTML. */
async function copyPage(bare: Bare, path: string): Promise<number> {
  const { headers, body } = await new Promise<{ headers: Record<string, string>; body: Buffer }>((done, fail) => {
    get(`${url}${path}`, { headers: { 'accept-encoding': 'gzip, br' } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        if (response.statusCode !== 200) return fail(new Error(`${path}: ${response.statusCode}`))
        const copied = Object.entries(response.headers).filter(([name]) => !/^(date|connection|keep-alive)$/.test(name))
        done({ headers: Object.fromEntries(copied) as Record<string, string>, body: Buffer.concat(chunks) })
      })
    }).on('error', fail)
  })
  bare.process.send({ path, headers, body: body.toString('base64') })
  await once(bare.process, 'message')
  return brotliDecompressSync(body).length
}

async function uploadFor(
  uploader: UploadClient,
  forMs: number,
): Promise<{ shown: number; failed: number; refused: number }> {
  const end = Date.now() + forMs
  const files = mixedFiles({ files: 100_000, bad: 0 })
  function* inTime() {
    for (const file of files) {
      if (Date.now() > end) return
      yield file
    }
  }
  return sendAll(uploader, inTime(), { ahead: 4 }).catch((error: unknown) => {
    failures.push(`uploading ended: ${String(error)}`)
    return { shown: 0, failed: 0, refused: 0 }
  })
}

/** With the CPU time of a request, which other processes on the machine hardly change. */
interface Measurement extends Outcome {
  cpu: number
}

function figures(outcome: Outcome | undefined): string {
  if (!outcome) return ''
  return `${rate(outcome).toFixed(0).padStart(6)}/s (${ms(outcome.p99)})`
}

function rate({ requests, seconds }: Outcome): number {
  return requests / seconds
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

function ms(time: number): string {
  return `${time.toFixed(1)} ms`
}

function kb(bytes: number): string {
  return `${(bytes / 1024).toFixed(0)} KB`
}
