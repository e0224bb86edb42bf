import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { fold } from '../src/server/fulltext/text/fold.ts'
import { dictionaryCorpus } from './dictionary-text.ts'
import { compareCost } from './search-cost.ts'
import { openPostgresFixture, openSqliteFixture, type SearchFixture } from './search-fixtures.ts'
import { type BenchQuery, createQueries, pagesPerDocument, type QueriesByKind } from './search-queries.ts'

/**
 * Search latency on a large site, and its effect on other requests: `PAGES=1000000 node bench/search.ts`.
 * `--only sqlite` or `postgres`; `--like 12` compares with that many LIKE queries; `--keep folder` keeps the SQLite index
 * there for the next run. Fails where SQLite is too slow.
 *
 * `--check` measures nothing: it compares the results of every query with those of a scan over all texts, and fails where
 * they differ.
 *
 * `--compare folder` asks every query also of the index of another version of the product, a checkout in that folder;
 * `--compare plain` of the same index without a fallback and without the words of other regions. Prints how many times
 * longer this version takes.
 */

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    like: { type: 'string', default: '12' },
    keep: { type: 'string' },
    check: { type: 'boolean', default: false },
    compare: { type: 'string' },
  },
})
const documents = Math.ceil(Number(process.env.PAGES ?? 100_000) / pagesPerDocument)
const limits = { p50: 10, p95: 50, max: 200, otherRequests: 2 }
const seriesCount = 4
const seriesStep = 13

const corpus = dictionaryCorpus()
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'wendou-bench-'))
mkdirSync(folder, { recursive: true })
try {
  const run = values.check ? check : values.compare === undefined ? measure : compare
  const failures = values.only === 'postgres' ? [] : await run('SQLite', await openSqliteFixture(folder))
  const postgresFailures = values.only === 'sqlite' ? [] : await run('PostgreSQL', await openPostgresFixture())
  if (values.check) failures.push(...postgresFailures)
  for (const failure of failures) console.log(`  failed: ${failure}`)
  if (failures.length > 0) process.exitCode = 1
} finally {
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true })
}

async function measure(name: string, fixture: SearchFixture): Promise<string[]> {
  await build(name, fixture)
  const warmUp = createQueries(corpus, documents, 0)
  for (const { words } of Object.values(warmUp).flatMap((list) => list.slice(0, 5))) await search(fixture, words)
  const baselineMs = Math.min(8000, documents)
  const idle = await otherRequestsDuring(fixture, () => sleep(baselineMs))
  // The effect of any busy thread on this machine, for comparison.
  const besideBusyThread = await otherRequestsDuring(fixture, () => spin(baselineMs))
  const failures: string[] = []
  for (const concurrency of [1, 8]) {
    const times = { uncached: new Map<string, number[]>(), cached: new Map<string, number[]>() }
    const otherRequests = await otherRequestsDuring(fixture, async () => {
      for (let series = 0; series < seriesCount; series++) {
        // New queries each time: earlier results are cached.
        const queries = createQueries(corpus, documents, concurrency + series * seriesStep)
        await searchAll(fixture, queries, concurrency, times.uncached)
        await searchAll(fixture, queries, concurrency, times.cached)
      }
    })
    const [uncached, cached] = [[...times.uncached.values()].flat(), [...times.cached.values()].flat()]
    const all = [...uncached, ...cached]
    console.log(`  ${concurrency} at a time, ms${' '.repeat(12)}p50     p95     p99     max`)
    for (const [kind, list] of [...times.uncached, ['uncached', uncached], ['cached', cached], ['all', all]] as const)
      console.log(`    ${kind.padEnd(18)}${formatTimes(list)}`)
    const comparison = `idle ${idle.toFixed(1)}, beside a busy thread ${besideBusyThread.toFixed(1)}`
    console.log(`    p99 of other requests ${otherRequests.toFixed(1)}, ${comparison}`)
    if (percentile(all, 0.5) > limits.p50) failures.push(`p50, ${concurrency} at a time`)
    if (percentile(all, 0.95) > limits.p95) failures.push(`p95, ${concurrency} at a time`)
    if (percentile(all, 1) > limits.max) failures.push(`max, ${concurrency} at a time`)
    if (otherRequests > idle * limits.otherRequests) failures.push(`other requests, ${concurrency} at a time`)
  }
  await compareWithLike(fixture, warmUp)
  await fixture.close()
  return failures
}

async function compare(name: string, fixture: SearchFixture): Promise<string[]> {
  await build(name, fixture)
  const queries = Array.from({ length: seriesCount }, (_, series) =>
    createQueries(corpus, documents, series * seriesStep),
  )
  const failures = await compareCost(fixture, queries, values.compare ?? '')
  await fixture.close()
  return failures
}

/** Compares the ids and the total of every query with a scan over all texts, and looks for the page of every passage. */
async function check(name: string, fixture: SearchFixture): Promise<string[]> {
  await build(name, fixture)
  const texts = Array.from({ length: documents }, (_, index) => {
    const pages = Array.from({ length: pagesPerDocument }, (_, page) => corpus.page(index + 1, page + 1))
    return { id: index + 1, folded: [corpus.title(index + 1), ...pages].map(fold) }
  })
  const scan = (words: string): number[] => {
    const needles = words.split(/\s+/u).map(fold)
    const matching = texts.filter(({ folded }) =>
      needles.every((needle) => folded.some((text) => text.includes(needle))),
    )
    return matching.map(({ id }) => id)
  }
  const isCorrect = async ({ words, source }: BenchQuery, expected: number[]): Promise<boolean> => {
    // Space for all of them: nothing is left uncounted for lack of time.
    const { total, hits } = await search(fixture, words, documents)
    const ids = hits.map(({ id }) => id).toSorted((a, b) => a - b)
    if (total !== expected.length || ids.join() !== expected.join()) return false
    if (!source) return true
    const pages = await fixture.search.find({ kind: 'document', id: source.id, words })
    return expected.includes(source.id) && pages.some(({ page }) => page === source.page)
  }
  const failures: string[] = []
  console.log(`  ${'checked'.padEnd(18)} queries matches   wrong`)
  for (const [kind, queries] of Object.entries(createQueries(corpus, documents, 0))) {
    const wrong: string[] = []
    let matches = 0
    for (const query of queries) {
      const expected = scan(query.words)
      matches += expected.length
      if (!(await isCorrect(query, expected))) wrong.push(`${kind}: ${query.words}`)
    }
    const columns = [queries.length, matches, wrong.length].map((value) => String(value).padStart(8)).join('')
    console.log(`  ${kind.padEnd(18)}${columns}`)
    failures.push(...wrong)
  }
  await fixture.close()
  return failures
}

async function build(name: string, fixture: SearchFixture): Promise<void> {
  console.log(`${name}: ${documents} documents, ${documents * pagesPerDocument} pages`)
  const startedAt = performance.now()
  const isBuilt = (await fixture.search.list('document', { after: documents - 1, limit: 1 })).length > 0
  if (!isBuilt) await addAll(fixture)
  const seconds = (performance.now() - startedAt) / 1000
  await fixture.optimize()
  const megabytes = ((await fixture.size()) / 1e6).toFixed(0)
  const rate = `built in ${seconds.toFixed(0)} s, ${Math.round((documents * pagesPerDocument) / seconds)} pages/s`
  console.log(`  ${isBuilt ? 'built before' : rate}, ${megabytes} MB`)
}

async function addAll({ search: index, addDocuments }: SearchFixture): Promise<void> {
  const batchSize = 50
  for (let from = 1; from <= documents; from += batchSize) {
    const batch = Array.from({ length: Math.min(batchSize, documents - from + 1) }, (_, at) => ({
      id: from + at,
      texts: Array.from({ length: pagesPerDocument }, (_, page) => corpus.page(from + at, page + 1)),
    }))
    const writes = batch.flatMap(({ id, texts }) => {
      const entry = { kind: 'document', id, version: '1' } as const
      const metadata = { title: corpus.title(id), keywords: '', description: '', quality: id % 100 }
      const pages = texts.map((text, at) => ({ page: at + 1, text }))
      return [index.putMetadata({ ...entry, ...metadata }), index.putPages({ ...entry, pages })]
    })
    await Promise.all([...writes, addDocuments(batch)])
  }
}

async function searchAll(
  fixture: SearchFixture,
  queries: QueriesByKind,
  concurrency: number,
  times: Map<string, number[]>,
): Promise<void> {
  const queue = Object.entries(queries)
    .flatMap(([kind, list]) => list.map(({ words }, index) => ({ kind, words, place: index / list.length })))
    .toSorted((a, b) => a.place - b.place)
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const startedAt = performance.now()
      await search(fixture, next.words)
      times.set(next.kind, [...(times.get(next.kind) ?? []), performance.now() - startedAt])
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
}

function search({ search: index, visibility }: SearchFixture, words: string, limit = 10) {
  // As a site searches; a comparison with a scan over all texts needs the words as typed.
  const extent = values.check ? {} : { regional: true, fallback: true }
  const page = { offset: 0, limit, maxTotal: Math.max(1000, limit) }
  return index.search({ kind: 'document', words, visibility, ...page, ...extent })
}

/** A busy thread with the lowered priority of the search processes. */
async function spin(ms: number): Promise<void> {
  const source = `
    const { readlinkSync } = require('node:fs')
    require('node:os').setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), 5)
    const end = Date.now() + ${ms}
    while (Date.now() < end);`
  await once(new Worker(source, { eval: true }), 'exit')
}

/** The p99 of small requests while `work` runs. */
async function otherRequestsDuring(fixture: SearchFixture, work: () => Promise<unknown>): Promise<number> {
  const server = createServer((_, response) => {
    void fixture.findVisible([1, 2, 3, 5, 8, 13]).then((ids) => response.end(JSON.stringify(ids)))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const env = { ...process.env, VISIT: `http://127.0.0.1:${port}/` }
  const visitor = fork(new URL('./visitor.ts', import.meta.url), { env })
  await once(visitor, 'message')
  await work()
  visitor.send('enough')
  const [p99] = (await once(visitor, 'message')) as [number]
  server.close()
  server.closeAllConnections()
  return p99
}

async function compareWithLike({ like }: SearchFixture, queries: QueriesByKind): Promise<void> {
  const count = Number(values.like)
  const perKind = Math.ceil(count / Object.keys(queries).length)
  const times: number[] = []
  for (const { words } of Object.values(queries)
    .flatMap((list) => list.slice(0, perKind))
    .slice(0, count)) {
    const startedAt = performance.now()
    await like(words.split(/\s+/u))
    times.push(performance.now() - startedAt)
  }
  if (times.length > 0) console.log(`  ${times.length} of them as LIKE    ${formatTimes(times)}`)
}

function formatTimes(times: readonly number[]): string {
  return [0.5, 0.95, 0.99, 1].map((share) => percentile(times, share).toFixed(1).padStart(8)).join('')
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
