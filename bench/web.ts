import { cpus, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type UploadClient, createUploadClient } from '../e2e/upload-client.ts'
import { mixedFiles, sendAll } from '../e2e/mixed-files.ts'
import { articles } from '../src/shared/contract/articles.ts'
import { documents } from '../src/shared/contract/documents.ts'
import { DocumentStatus } from '../src/shared/document-status.ts'
import { paragraphs } from '../src/server/samples/prose.ts'
import { makePdf } from '../src/server/samples/pdf.ts'
import { seededIds } from '../src/server/testing/seed-documents.ts'
import {
  compareKept,
  comparePassword,
  type Comparison,
  figures,
  kb,
  type Measurement,
  ms,
  openComparison,
  rate,
} from './compare.ts'
import { residentMb } from './server.ts'

/**
 * Pages of a site with 10,000 documents: kept, compared with the same bytes from a bare `node:http` server; made anew, with
 * the cache off; ten thousand different documents in a row; then 200 connections while documents are uploaded and converted.
 * That a page was made anew is seen in the site's own count.
 */

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    minute: { type: 'string', default: '60' },
  },
})
const forMs = Number(values.seconds) * 1000
const bars = {
  kept: 0.6,
  html: { document: 90, others: 80 },
  madeMs: { home: 10, document: 8, article: 6 } as Record<string, number | undefined>,
  walkPerSecond: 200,
  walkHealthMs: 50,
  minuteMs: 300,
  minuteMb: 500,
}
const failures: string[] = []
const site = await openComparison(Number(values.documents))
try {
  await measure(site)
} finally {
  site.close()
}
console.log(failures.length === 0 ? 'all bars hold' : `MISSED:\n  ${failures.join('\n  ')}`)
process.exitCode = failures.length === 0 ? 0 : 1

async function measure({ server, load, loadBare, copy, jobsDone }: Comparison): Promise<void> {
  const uploader = await openUploader()
  const pages = await preparePages(uploader)
  await jobsDone()
  const machine = `${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`
  console.log(`${values.documents} documents, ${machine}; idle ${residentMb(server)} MB`)

  // Warm-up: the server that is measured first would be slow until its code is compiled.
  await copy(pages.article)
  await load({ paths: [pages.article], ms: 3000 })
  await loadBare({ paths: [pages.article], ms: 3000 })
  console.log('\nkept pages, 50 connections: requests/s (p99), the same bytes from bare node:http, ratio')
  for (const [name, path] of Object.entries(pages)) {
    const html = await copy(path)
    const maxKb = name === 'document' ? bars.html.document : bars.html.others
    if (html > maxKb * 1024) failures.push(`${name}: ${kb(html)} of HTML`)
    const { ratio, byCpu, ours, theirs } = await compareKept(site, path, { rounds: Number(values.rounds), ms: forMs })
    const cost = `by CPU time ${byCpu.toFixed(2)}`
    console.log(
      `  ${name.padEnd(9)}${figures(ours)} ${figures(theirs)}  ${ratio.toFixed(2)}, ${cost}  ${kb(html)} of HTML`,
    )
    check(name, ours)
    if (ratio < bars.kept) failures.push(`${name}: ${ratio.toFixed(2)} of bare node:http`)
  }
  console.log(`  memory ${residentMb(server)} MB`)

  await site.set({ 'ssr.cache_seconds': '0' })
  console.log('\nmade anew, the cache off, one at a time: p50 and p99')
  for (const [name, path] of Object.entries(pages)) {
    await load({ paths: [path], connections: 1, ms: 1000 })
    const alone = await madeAnew(name, () => load({ paths: [path], connections: 1, ms: forMs }))
    console.log(`  ${name.padEnd(9)} ${ms(alone.p50)} ${ms(alone.p99)} (${ms(alone.cpu)} of CPU)`)
    check(name, alone)
    const bar = bars.madeMs[name]
    if (bar !== undefined && alone.p50 > bar) failures.push(`${name}: p50 ${ms(alone.p50)} made anew`)
  }
  await site.set({ 'ssr.cache_seconds': '5' })

  const others = await readableDocuments()
  const walk = await site.beside(() =>
    madeAnew('walk', () => load({ paths: others, connections: 8, ms: 600_000, requests: others.length })),
  )
  console.log(
    `\n${others.length} different documents, eight at a time: ${figures(walk.result)}; /healthz p99 ${ms(walk.p99)}; memory ${residentMb(server)} MB`,
  )
  check('walk', walk.result)
  if (rate(walk.result) < bars.walkPerSecond) failures.push(`walk: ${rate(walk.result).toFixed(0)} a second`)
  if (walk.p99 > bars.walkHealthMs) failures.push(`walk: /healthz p99 ${ms(walk.p99)}`)

  await minute(uploader, pages, others)
}

/** Two hundred visitors of the popular pages and, one request in fifty, of another document; uploads beside them. */
async function minute(uploader: UploadClient, pages: Record<string, string>, others: string[]): Promise<void> {
  const { server, load } = site
  const seconds = Number(values.minute)
  let peak = 0
  const watching = setInterval(() => (peak = Math.max(peak, residentMb(server))), 250)
  const uploading = uploadFor(uploader, seconds * 1000)
  const before = await site.made('page')
  const mixed = await load({
    paths: Object.values(pages),
    connections: 200,
    others: { paths: others, every: 50 },
    ms: seconds * 1000,
  })
  const made = (await site.made('page')) - before
  clearInterval(watching)
  const { shown, failed, refused } = await uploading
  console.log(
    `\n200 connections for ${seconds} s, one request in 50 for another document, while ${shown + failed} documents were converted:`,
  )
  console.log(`  ${figures(mixed)}, p50 ${ms(mixed.p50)}, worst ${ms(mixed.worst)}, ${mixed.errors.length} errors`)
  console.log(`  ${made} of ${mixed.requests} pages made anew; shown ${shown}, failed ${failed}, refused ${refused}`)
  await sleep(10_000)
  console.log(`  memory at most ${peak} MB, ${residentMb(server)} MB ten seconds later`)
  check('minute', mixed)
  if (failed + refused > 0) failures.push(`${failed + refused} documents did not arrive`)
  if (mixed.p99 > bars.minuteMs) failures.push(`minute: p99 ${ms(mixed.p99)}`)
  if (peak > bars.minuteMb) failures.push(`minute: ${peak} MB`)
}

/** Fails unless the site made as many pages as were asked for. */
async function madeAnew(name: string, work: () => Promise<Measurement>): Promise<Measurement> {
  const before = await site.made('page')
  const outcome = await work()
  const made = (await site.made('page')) - before
  if (made < outcome.requests) failures.push(`${name}: ${made} pages made for ${outcome.requests} requests`)
  return outcome
}

function check(name: string, { errors }: Measurement): void {
  if (errors.length > 0) failures.push(`${name}: ${errors.length} errors, like ${errors[0]}`)
}

async function readableDocuments(): Promise<string[]> {
  const rows = await site.onDatabase((db) =>
    db
      .selectFrom('document')
      .select('uuid')
      .where('uuid', 'like', 'stock-%')
      .where('status', '=', DocumentStatus.Converted)
      .where('deleted_at', 'is', null)
      .execute(),
  )
  return rows.map(({ uuid }) => `/document/${uuid}`)
}

/** Publishes into the largest category: a site with categories requires one. */
async function openUploader(): Promise<UploadClient> {
  const uploader = await createUploadClient(site.url, { username: 'admin', password: comparePassword })
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
async function preparePages(uploader: UploadClient) {
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

async function uploadFor(
  uploader: UploadClient,
  duration: number,
): Promise<{ shown: number; failed: number; refused: number }> {
  const end = Date.now() + duration
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
