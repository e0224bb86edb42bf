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
import { type Corpus, dictionaryCorpus } from './dictionary-text.ts'
import { type Library, postgresLibrary, sqliteLibrary } from './libraries.ts'

/**
 * What searching costs in a large library, and what it costs others meanwhile: `PAGES=1000000 node bench/search.ts`.
 * `--only sqlite` or `postgres`; `--like 12` puts so many of the questions as LIKE; `--keep folder` leaves what was built
 * for SQLite there, and asks it again the next time. Fails where SQLite is too slow.
 */

const { values } = parseArgs({
  options: { only: { type: 'string' }, like: { type: 'string', default: '12' }, keep: { type: 'string' } },
})
const documents = Math.ceil(Number(process.env.PAGES ?? 100_000) / 10)
const limits = { p50: 10, p95: 50, worst: 200, others: 2 }

const seriesApart = 13

type Questions = Record<string, string[]>

const corpus = dictionaryCorpus()
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'wendou-bench-'))
mkdirSync(folder, { recursive: true })
try {
  if (values.only !== 'postgres') {
    const failures = await measure('SQLite', await sqliteLibrary(folder))
    if (failures.length > 0) process.exitCode = 1
    for (const failure of failures) console.log(`  too slow: ${failure}`)
  }
  if (values.only !== 'sqlite') await measure('PostgreSQL', await postgresLibrary())
} finally {
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true })
}

async function measure(name: string, library: Library): Promise<string[]> {
  console.log(`${name}: ${documents} documents, ${documents * 10} pages`)
  const begun = performance.now()
  const built = await build(library)
  const seconds = (performance.now() - begun) / 1000
  await library.settle()
  const megabytes = ((await library.size()) / 1e6).toFixed(0)
  const rate = `built in ${seconds.toFixed(0)} s, ${Math.round((built * 10) / seconds)} pages/s`
  console.log(`  ${built > 0 ? rate : 'built before'}, ${megabytes} MB`)

  const questions = questionsOf(corpus, 0)
  for (const words of Object.values(questions).flatMap((list) => list.slice(0, 5))) await ask(library, words)
  const whileMs = Math.min(8000, documents)
  const idle = await othersDuring(library, () => sleep(whileMs))
  // What the machine itself costs them when one more thread works, whatever it does.
  const beside = await othersDuring(library, () => spin(whileMs))
  const failures: string[] = []
  for (const at of [1, 8]) {
    const times = { first: new Map<string, number[]>(), again: new Map<string, number[]>() }
    const others = await othersDuring(library, async () => {
      for (let series = at; series < at + 4 * seriesApart; series += seriesApart) {
        // Others each time: what was asked before is remembered.
        const asked = questionsOf(corpus, series)
        await askAll(library, asked, at, times.first)
        await askAll(library, asked, at, times.again)
      }
    })
    const [first, again] = [times.first, times.again].map((each) => [...each.values()].flat())
    const all = [...(first ?? []), ...(again ?? [])]
    console.log(`  ${at} at a time, ms${' '.repeat(12)}p50     p95     p99   worst`)
    const rows = [...times.first, ['first time', first ?? []], ['asked again', again ?? []], ['all', all]] as const
    for (const [kind, list] of rows) console.log(`    ${kind.padEnd(18)}${figures(list)}`)
    const compared = `idle ${idle.toFixed(1)}, beside a thread that counts ${beside.toFixed(1)}`
    console.log(`    p99 of other requests ${others.toFixed(1)}, ${compared}`)
    if (percentile(all, 0.5) > limits.p50) failures.push(`p50, ${at} at a time`)
    if (percentile(all, 0.95) > limits.p95) failures.push(`p95, ${at} at a time`)
    if (percentile(all, 1) > limits.worst) failures.push(`worst, ${at} at a time`)
    if (others > idle * limits.others) failures.push(`other requests, ${at} at a time`)
  }
  await compareWithLike(library, questions)
  await library.close()
  return failures
}

/** How many documents were missing. */
async function build({ search, keep }: Library): Promise<number> {
  const batch = 50
  const [last] = await search.list('document', { after: documents - 1, limit: 1 })
  if (last) return 0
  for (let from = 1; from <= documents; from += batch) {
    const made = Array.from({ length: Math.min(batch, documents - from + 1) }, (_, index) => ({
      id: from + index,
      texts: Array.from({ length: 10 }, (_, page) => corpus.page(from + index, page + 1)),
    }))
    const writes = made.flatMap(({ id, texts }) => [
      search.putHead({
        kind: 'document',
        id,
        title: corpus.title(id),
        keywords: '',
        description: '',
        quality: id % 100,
        mark: '1',
      }),
      search.putPages({ kind: 'document', id, pages: texts.map((text, at) => ({ page: at + 1, text })), mark: '1' }),
    ])
    await Promise.all([...writes, keep(made)])
  }
  return documents
}

/** Words of all frequencies, alone and together, and passages as they stand in a page; others in each series. */
function questionsOf(corpus: Corpus, series: number): Questions {
  const some = (count: number, make: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => make(index))
  const word = (rank: number) => corpus.word(rank + series)
  return {
    commonest: some(40, (index) => word(index * 3)),
    frequent: some(60, (index) => word(300 + index * 40)),
    rare: some(60, (index) => word(20_000 + index * 900)),
    'hardly ever': some(40, (index) => word(120_000 + index * 2000)),
    'one character': some(20, (index) => word(index * 5).slice(0, 1)),
    'two common': some(40, (index) => `${word(index * 2)} ${word(150 + index * 5)}`),
    'common and rare': some(40, (index) => `${word(index)} ${word(15_000 + index * 700)}`),
    'three words': some(40, (index) => `${word(index * 4)} ${word(500 + index * 11)} ${word(3000 + index * 31)}`),
    passage: some(60, (index) => {
      const page = corpus.page(1 + (((index + series) * 7877) % documents), 1 + (index % 10))
      return page.slice(index, index + 4 + (index % 9))
    }),
    nothing: some(20, (index) => `${word(index)}${word(90_000 + index * 100)}`),
  }
}

async function askAll(library: Library, questions: Questions, at: number, times: Map<string, number[]>): Promise<void> {
  const mixed = Object.entries(questions)
    .flatMap(([kind, list]) => list.map((words, index) => ({ kind, words, place: index / list.length })))
    .toSorted((one, other) => one.place - other.place)
  const queue = [...mixed]
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const begun = performance.now()
      await ask(library, next.words)
      times.set(next.kind, [...(times.get(next.kind) ?? []), performance.now() - begun])
    }
  }
  await Promise.all(Array.from({ length: at }, work))
}

function ask({ search, visible }: Library, words: string): Promise<unknown> {
  return search.search({ kind: 'document', words, accept: visible, offset: 0, limit: 10, most: 1000 })
}

/** A thread that does nothing but work, stepped back like those that search. */
async function spin(ms: number): Promise<void> {
  const source = `
    const { readlinkSync } = require('node:fs')
    require('node:os').setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), 5)
    const end = Date.now() + ${ms}
    while (Date.now() < end);`
  await once(new Worker(source, { eval: true }), 'exit')
}

/** The p99 of small requests that a visitor makes all the while. */
async function othersDuring(library: Library, work: () => Promise<unknown>): Promise<number> {
  const server = createServer((_, response) => {
    void library.visible([1, 2, 3, 5, 8, 13]).then((ids) => response.end(JSON.stringify(ids)))
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

async function compareWithLike({ like }: Library, questions: Questions): Promise<void> {
  const perKind = Math.ceil(Number(values.like) / Object.keys(questions).length)
  const asked = Object.values(questions).flatMap((list) => list.slice(0, perKind))
  const times: number[] = []
  for (const words of asked.slice(0, Number(values.like))) {
    const begun = performance.now()
    await like(words.split(/\s+/u))
    times.push(performance.now() - begun)
  }
  if (times.length > 0) console.log(`  ${times.length} of them as LIKE    ${figures(times)}`)
}

function figures(times: readonly number[]): string {
  return [0.5, 0.95, 0.99, 1].map((share) => percentile(times, share).toFixed(1).padStart(8)).join('')
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
