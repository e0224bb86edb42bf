import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { SpiderUrlStatus } from '#shared/spider.ts'
import { openSanitizer } from '#server/modules/articles/articles.sanitizer.ts'
import { linkPage } from '#server/testing/spider/html-page.ts'
import { openSpiderSite, type SpiderSite } from '#server/testing/spider/spider-site.ts'
import { type Answer, type Handler, openWebServer } from '#server/testing/spider/web-server.ts'
import { openExtractor } from '../extract/extractor.ts'
import { claimHost } from '../fetch/hosts.ts'
import { crawlHost } from './crawl-host.ts'
import type { SpiderDeps } from './deps.ts'

/** One worker at a time requests a host, and writes down what it has found there. */

const { Crawling, Done, Failed, Pending } = SpiderUrlStatus
const leaseMs = 60_000

let site: SpiderSite
let deps: SpiderDeps
beforeAll(async () => {
  site = await openSpiderSite()
  const folder = mkdtempSync(join(tmpdir(), 'wendou-held-'))
  deps = { extractor: openExtractor(), sanitizer: openSanitizer(), folder }
})
afterAll(async () => {
  await Promise.all([deps.extractor.close(), deps.sanitizer.close()])
  rmSync(deps.folder, { recursive: true, force: true })
  await site.close()
})

test('a host stays held while its page waits for the thread that reads it', async () => {
  const web = await serve(() => linkPage('目录', ['/a.pdf']))
  await site.start({ start: [`${web.origin}/`], auto_download: false })
  const timers = fakeIntervals()
  const reading = slowReading()
  const crawled = crawl(web.origin, { deps: reading.deps })
  await reading.begun
  for (let passed = 0; passed < 3 * leaseMs; passed += 45_000) {
    site.advanceClock(45_000)
    const { now } = await site.app.context()
    const before = now()
    timers.advance()
    await vi.waitFor(async () => {
      expect((await hostOf(web.origin)).busy_until).toBeGreaterThanOrEqual(before + leaseMs)
    })
  }
  reading.end()
  await crawled
  expect(await urlOf(web.origin)).toMatchObject({ status: Done })
  expect((await hostOf(web.origin)).busy_until).toBe(0)
})

test('a worker whose host another one has taken writes nothing, and comes back later', async () => {
  const web = await serve(() => linkPage('目录', ['/a.pdf']))
  const source = await site.start({ start: [`${web.origin}/`] })
  const reading = slowReading()
  const crawled = crawl(web.origin, { deps: reading.deps })
  await reading.begun
  const other = await takeOver(web.origin)
  reading.end()
  await crawled
  const { urls, documents } = await site.look(source)
  expect(urls['/']).toMatchObject({ status: Crawling, title: '' })
  expect(documents).toEqual({})
  expect(await eventsOf(web.origin)).not.toContain('fetched')
  expect(await hostOf(web.origin)).toMatchObject({ worker: other.worker })
  site.advanceClock(leaseMs)
  await site.finish(source)
  expect((await site.look(source)).urls['/']).toMatchObject({ status: Done })
})

test('a request to a host that another worker has taken is given up', async () => {
  const web = await serve(() => new Promise<Answer>(() => {}))
  await site.start({ start: [`${web.origin}/`] })
  const timers = fakeIntervals()
  const crawled = crawl(web.origin)
  await vi.waitFor(() => expect(web.paths()).toContain('/'))
  const other = await takeOver(web.origin)
  timers.advance()
  await crawled
  expect(await urlOf(web.origin)).toMatchObject({ status: Crawling, tries: 0, reason: '' })
  expect(await hostOf(web.origin)).toMatchObject({ worker: other.worker })
})

test('a worker that stops leaves alone what another one is at work on', async () => {
  const web = await serve(() => new Promise<Answer>(() => {}))
  await site.start({ start: [`${web.origin}/`] })
  const stopping = new AbortController()
  const crawled = crawl(web.origin, { signal: stopping.signal })
  await vi.waitFor(() => expect(web.paths()).toContain('/'))
  const other = await takeOver(web.origin)
  stopping.abort()
  await expect(crawled).rejects.toThrow()
  expect(await urlOf(web.origin)).toMatchObject({ status: Crawling })
  expect(await hostOf(web.origin)).toMatchObject({ worker: other.worker })
})

test.each(['/', '/robots.txt'])(
  'a redirect of %s to a host that is always busy is not followed forever',
  async (path) => {
    const busy = await serve(() => linkPage('目录', []))
    const redirect = { status: 301, headers: { location: busy.origin + path } }
    const web = await (path === '/' ? serve(() => redirect) : serve(() => linkPage('目录', []), redirect))
    const hosts = [busy, web].map(({ origin }) => new URL(origin).host)
    await site.configure({ 'spider.private_hosts': ['127.0.0.1', ...hosts].join() })
    onTestFinished(() => site.configure({ 'spider.private_hosts': '127.0.0.1' }))
    await claimHost(await site.app.context(), busy.origin)
    const never = { busy_until: Number.MAX_SAFE_INTEGER }
    await site.db.updateTable('spider_host').set(never).where('origin', '=', busy.origin).execute()
    onTestFinished(async () => {
      await site.db.updateTable('spider_host').set({ busy_until: 0 }).where('origin', '=', busy.origin).execute()
    })
    const { urls } = await site.crawl({ start: [`${web.origin}/`] })
    expect(urls['/']).toMatchObject({ status: Failed, reason: 'rate_limited' })
    expect(web.paths().filter((each) => each === path)).toHaveLength(4)
    expect(busy.paths()).toEqual([])
  },
)

test('processes that were killed use up none of the tries', async () => {
  const web = await serve(({ visit }) => (visit < 4 ? { status: 503 } : linkPage('目录', [])))
  const source = await site.start({ start: [`${web.origin}/`] })
  for (let kills = 0; kills < 3; kills++) await interrupt(web.origin)
  expect(await urlOf(web.origin)).toMatchObject({ status: Pending, tries: 0 })
  await site.finish(source)
  expect(await urlOf(web.origin)).toMatchObject({ status: Done, reason: '' })
})

test('an address that no process survives is given up', async () => {
  const web = await serve(() => linkPage('目录', []))
  await site.start({ start: [`${web.origin}/`] })
  for (let kills = 0; kills < 10; kills++) await interrupt(web.origin)
  expect(await urlOf(web.origin)).toMatchObject({ status: Pending })
  await interrupt(web.origin)
  expect(await urlOf(web.origin)).toMatchObject({ status: Failed, reason: 'internal', detail: '处理它的进程一再中断' })
  expect(await eventsOf(web.origin)).toEqual([...Array<string>(10).fill('interrupted'), 'failed'])
  // Once staff have it read again, it is counted anew.
  await interrupt(web.origin)
  expect(await urlOf(web.origin)).toMatchObject({ status: Pending })
})

async function serve(page: Handler, robots: Answer = { status: 404 }) {
  const web = await openWebServer((request) => (request.path === '/robots.txt' ? robots : page(request)))
  onTestFinished(() => web.close())
  return web
}

async function crawl(
  origin: string,
  { deps: used = deps, signal = new AbortController().signal }: { deps?: SpiderDeps; signal?: AbortSignal } = {},
): Promise<void> {
  await crawlHost(await site.app.context(), used, origin, signal)
}

/** Pages wait for the thread until the end. */
function slowReading() {
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const page: SpiderDeps['extractor']['page'] = async (task) => {
    begun.resolve()
    await ended.promise
    return deps.extractor.page(task)
  }
  return { deps: { ...deps, extractor: { ...deps.extractor, page } }, begun: begun.promise, end: ended.resolve }
}

function fakeIntervals() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  return { advance: () => vi.advanceTimersByTime(15_000) }
}

/** As if the worker's process had stood still for longer than its lease. */
async function takeOver(origin: string) {
  site.advanceClock(leaseMs + 1000)
  const lease = await claimHost(await site.app.context(), origin, { isBeyondLimit: true })
  if (!lease) throw new Error('The host is still held')
  return lease
}

/** A process was killed while it read the page; the next one, which stops at once, finds it. */
async function interrupt(origin: string): Promise<void> {
  await site.db.updateTable('spider_url').set({ status: Crawling }).where('origin', '=', origin).execute()
  await expect(crawl(origin, { signal: AbortSignal.abort() })).rejects.toThrow()
}

function hostOf(origin: string) {
  return site.db.selectFrom('spider_host').selectAll().where('origin', '=', origin).executeTakeFirstOrThrow()
}

function urlOf(origin: string) {
  return site.db.selectFrom('spider_url').selectAll().where('url', '=', `${origin}/`).executeTakeFirstOrThrow()
}

async function eventsOf(origin: string): Promise<string[]> {
  const { id } = await urlOf(origin)
  const log = await site.db.selectFrom('spider_log').select('event').where('url_id', '=', id).orderBy('id').execute()
  return log.map(({ event }) => event)
}
