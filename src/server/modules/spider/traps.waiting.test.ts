import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { SpiderDocumentStatus } from '#shared/spider.ts'
import { openLibrarySite } from '#server/testing/spider/library-site.ts'
import { openSpiderSite, type SpiderSite } from '#server/testing/spider/spider-site.ts'
import { openTrapSite, type Trap } from '#server/testing/spider/trap-site.ts'
import { slowBodies } from '#server/testing/spider/traps/bodies.ts'
import { tooManyRequests, tooManyRequestsUntil } from '#server/testing/spider/traps/refusals.ts'
import { crawlDelay } from '#server/testing/spider/traps/robots.ts'
import { gapsBetween } from '#server/testing/spider/web-server.ts'

/** Pauses between requests, at the log of the site that is crawled. */

const { Downloaded, Downloading, DownloadQueue } = SpiderDocumentStatus
/** By so much a timer may be early. */
const timerMs = 5

let site: SpiderSite
beforeAll(async () => {
  site = await openSpiderSite()
})
afterAll(() => site.close())

test('requests keep the delay that the owner set', async () => {
  await site.configure({ 'spider.delay_ms': '300' })
  const library = await openLibrarySite({ documents: 2, articles: 0 })
  onTestFinished(async () => {
    await library.close()
    await site.configure({ 'spider.delay_ms': '0' })
  })
  await site.crawl({ start: [`${library.origin}/history/`], exclude: ['/'] })
  expect(library.log.length).toBeGreaterThan(3)
  expect(Math.min(...gapsBetween(library.log))).toBeGreaterThanOrEqual(300 - timerMs)
})

test('requests keep the Crawl-delay of robots.txt, from the first one on', async () => {
  const trap = await open(crawlDelay)
  await site.crawl({ start: trap.starts })
  expect(trap.paths().toSorted()).toEqual(['/closed/but-allowed.html', '/list.html', '/open.html', '/robots.txt'])
  expect(Math.min(...gapsBetween(trap.log))).toBeGreaterThanOrEqual(1000 - timerMs)
})

test('after 429 the whole host is left alone for as many seconds as it asks for', async () => {
  const trap = await open(tooManyRequests)
  const source = await site.start({ start: trap.starts })
  await site.runDueJobs()
  expect(trap.paths().at(-1)).toBe('/busy/report.pdf')
  const before = trap.log.length
  expect((await site.look(source)).documents['/busy/report.pdf']).toMatchObject({ status: DownloadQueue })
  site.advanceClock(60_000)
  await site.runDueJobs()
  expect(trap.log).toHaveLength(before)
  site.advanceClock(31_000)
  await site.runDueJobs()
  const { documents } = await site.look(source)
  expect(Object.values(documents).map(({ status }) => status)).toEqual([Downloaded, Downloaded])
})

test('after 429 the whole host is left alone until the date that it names', async () => {
  const { now } = await site.app.context()
  const trap = await open(
    { start: '/list.html', routes: { '/list.html': { body: '<html><a href="/busy-until.pdf">文件' } } },
    tooManyRequestsUntil(() => new Date(now() + 3 * 60 * 60_000)),
  )
  const source = await site.start({ start: trap.starts.slice(0, 1) })
  await site.runDueJobs()
  const before = trap.log.length
  site.advanceClock(2.9 * 60 * 60_000)
  await site.runDueJobs()
  expect(trap.log).toHaveLength(before)
  site.advanceClock(0.2 * 60 * 60_000)
  await site.runDueJobs()
  expect((await site.look(source)).documents['/busy-until.pdf']).toMatchObject({ status: Downloaded })
})

test('a body that drips holds up its own host alone, and is put back when the server stops', async () => {
  const trap = await open(
    { start: '/list.html', routes: { '/list.html': { body: '<html><a href="/slow/drip.pdf">文件' } } },
    slowBodies,
  )
  const library = await openLibrarySite({ documents: 2, articles: 0 })
  onTestFinished(() => library.close())
  const slow = await site.start({ start: trap.starts.slice(0, 1) })
  const quick = await site.start({ start: [`${library.origin}/`], depth: 9 })
  const worker = site.app.work()
  const statusesOf = async (source: number) =>
    Object.values((await site.look(source)).documents).map(({ status }) => status)
  await expect.poll(() => statusesOf(quick)).toEqual([Downloaded, Downloaded])
  await expect.poll(() => statusesOf(slow)).toEqual([Downloading])
  await worker.stop()
  expect(await statusesOf(slow)).toEqual([DownloadQueue])
  await expect.poll(() => trap.log.filter(({ endedAt }) => endedAt === undefined)).toEqual([])
})

async function open(...traps: Trap[]) {
  const opened = await openTrapSite(...traps)
  onTestFinished(() => opened.close())
  return opened
}
