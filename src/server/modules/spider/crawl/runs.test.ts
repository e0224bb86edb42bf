import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { spiderSources, spiderUrls } from '#shared/contract/spider.ts'
import { SpiderDocumentStatus, SpiderSchedule, SpiderSourceState, SpiderUrlStatus } from '#shared/spider.ts'
import { openLibrarySite } from '#server/testing/spider/library-site.ts'
import { openSpiderSite, type SpiderSite } from '#server/testing/spider/spider-site.ts'

/** When a source is requested, and when it is not. */

const hourMs = 60 * 60_000
const { Pending, Done } = SpiderUrlStatus

let site: SpiderSite
beforeAll(async () => {
  site = await openSpiderSite()
})
afterAll(() => site.close())

test('a paused source is not requested; resumed, it goes on where it was', async () => {
  const library = await open()
  const source = await site.start({ start: [`${library.origin}/`], depth: 9 })
  expect(await site.root.call(spiderSources.pause, { id: [source] })).toEqual({ changed: 1, skipped: 0 })
  await site.runDueJobs()
  site.advanceClock(hourMs)
  await site.runDueJobs()
  expect(library.log).toEqual([])
  expect(await stateOf(source)).toBe(SpiderSourceState.Paused)
  await site.root.call(spiderSources.start, { id: [source] })
  await site.runDueJobs()
  const { urls, documents } = await site.look(source)
  expect([...Object.keys(urls), ...Object.keys(documents)]).toEqual(expect.arrayContaining(library.reachable()))
  expect(await stateOf(source)).toBe(SpiderSourceState.Idle)
})

test('while the crawler is off nothing is requested, and what waits stays', async () => {
  const library = await open()
  const source = await site.start({ start: [`${library.origin}/`] })
  await site.configure({ 'spider.enable': 'false' })
  await site.runDueJobs()
  site.advanceClock(hourMs)
  await site.runDueJobs()
  expect(library.log).toEqual([])
  expect((await site.look(source)).urls).toMatchObject({ '/': { status: Pending } })
  await site.configure({ 'spider.enable': 'true' })
  site.advanceClock(60_000)
  await site.runDueJobs()
  expect((await site.look(source)).urls).toMatchObject({ '/': { status: Done } })
})

test('in its quiet hours a source is not requested', async () => {
  const library = await open()
  const { now } = await site.app.context()
  const hour = new Date(now()).getHours()
  const source = await site.start({
    start: [`${library.origin}/`],
    quiet_from: hour,
    quiet_to: (hour + 3) % 24,
  })
  await site.runDueJobs()
  site.advanceClock(hourMs)
  await site.runDueJobs()
  expect(library.log).toEqual([])
  site.advanceClock(2 * hourMs)
  await site.runDueJobs()
  expect(library.paths()).toContain('/')
  expect(await stateOf(source)).toBe(SpiderSourceState.Idle)
})

test('a scheduled source runs by the site’s clock, and its second run asks for changes only', async () => {
  const library = await open()
  const { id } = await site.root.call(spiderSources.create, {
    name: '每天',
    start: [`${library.origin}/`],
    depth: 9,
    schedule: SpiderSchedule.Daily,
  })
  onTestFinished(async () => void (await site.root.call(spiderSources.delete, { id: [id] })))
  site.advanceClock(60_000)
  await site.runDueJobs()
  const first = library.log.length
  expect(first).toBeGreaterThan(10)
  const { run, state, started_at, next_run_at } = await site.root.call(spiderSources.get, { id })
  expect({ run, state }).toEqual({ run: 1, state: SpiderSourceState.Idle })
  expect(toDays(next_run_at) - toDays(started_at)).toBe(1)
  site.advanceClock(23 * hourMs)
  await site.runDueJobs()
  expect(library.log).toHaveLength(first)
  site.advanceClock(2 * hourMs)
  await site.runDueJobs()
  const second = library.log.slice(first).filter(({ path }) => path !== '/robots.txt')
  expect(second.map(({ path }) => path).toSorted()).toEqual(
    library
      .paths()
      .slice(0, first)
      .filter((path) => path !== '/robots.txt')
      .toSorted(),
  )
  expect(new Set(second.map(({ status }) => status))).toEqual(new Set([304]))
  expect(await site.root.call(spiderSources.get, { id })).toMatchObject({ run: 2, state: SpiderSourceState.Idle })
})

test('by a changed rule everything is read again, as far as it is found again', async () => {
  const library = await open()
  const { source } = await site.crawl({ start: [`${library.origin}/`], depth: 9, exclude: ['/science/**'] })
  const before = library.log.length
  const { id, name, ...form } = await site.root.call(spiderSources.get, { id: source })
  site.advanceClock(1000)
  await site.root.call(spiderSources.update, { ...form, id, name, exclude: ['/history/**'], user_id: site.root.id })
  await site.root.call(spiderSources.start, { id: [source] })
  await site.finish(source)
  const asked = library.log.slice(before)
  const pages = asked.filter(({ path }) => path.endsWith('/') || path.endsWith('.html'))
  expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]))
  expect(pages.map(({ path }) => path)).toContain('/science/')
  expect(pages.map(({ path }) => path)).not.toContain('/history/')
})

test('a link that has failed is read again by hand, and does not end the run of its source', async () => {
  const library = await open()
  library.remove('/history/')
  const { source } = await site.crawl({ start: [`${library.origin}/history/`] })
  expect((await site.look(source)).urls['/history/']).toMatchObject({ reason: 'not_found' })
  library.change('/history/', '<title>回来了</title>')
  const { url } = await site.root.call(spiderUrls.list, { source_id: [source] })
  await site.root.call(spiderUrls.retry, { id: url.map(({ id }) => id) })
  await site.runDueJobs()
  expect((await site.look(source)).urls['/history/']).toMatchObject({ status: Done, reason: '', title: '回来了' })
  expect(await stateOf(source)).toBe(SpiderSourceState.Idle)
})

test('without automatic downloads found files wait, and the run ends', async () => {
  const library = await open()
  const { documents } = await site.crawl({ start: [`${library.origin}/`], depth: 9, auto_download: false })
  expect(Object.keys(documents)).toHaveLength(library.documents.length)
  expect(new Set(Object.values(documents).map(({ status }) => status))).toEqual(
    new Set([SpiderDocumentStatus.PendingDownload]),
  )
  expect(library.paths().filter((path) => path.startsWith('/files/'))).toEqual([])
})

test('a run that staff end reads nothing more, and the next one begins anew', async () => {
  const library = await open()
  const source = await site.start({ start: [`${library.origin}/`], depth: 9 })
  await site.db
    .updateTable('spider_url')
    .set({ status: SpiderUrlStatus.Crawling })
    .where('source_id', '=', source)
    .execute()
  expect(await site.root.call(spiderSources.stop, { id: [source] })).toEqual({ changed: 1, skipped: 0 })
  expect(await site.root.call(spiderSources.stop, { id: [source] })).toEqual({ changed: 0, skipped: 1 })
  await site.runDueJobs()
  expect(library.log).toEqual([])
  expect(await site.look(source)).toMatchObject({ urls: {}, documents: {} })
  await site.root.call(spiderSources.start, { id: [source] })
  await site.finish(source)
  const { urls, documents } = await site.look(source)
  expect([...Object.keys(urls), ...Object.keys(documents)]).toEqual(expect.arrayContaining(library.reachable()))
  // What was read before is kept as it was; what waits for its download is left to staff.
  await site.root.call(spiderSources.start, { id: [source] })
  await site.db
    .updateTable('spider_document')
    .set({ status: SpiderDocumentStatus.DownloadQueue })
    .where('source_id', '=', source)
    .execute()
  await site.root.call(spiderSources.stop, { id: [source] })
  const after = await site.look(source)
  const read = Object.keys(urls).filter((path) => urls[path]?.status === Done)
  expect(Object.keys(after.urls).toSorted()).toEqual(read.toSorted())
  expect(new Set(Object.values(after.urls).map(({ status }) => status))).toEqual(new Set([Done]))
  expect(new Set(Object.values(after.documents).map(({ status }) => status))).toEqual(
    new Set([SpiderDocumentStatus.PendingDownload]),
  )
})

test('a run ends after the hours that its rule allows', async () => {
  const library = await open()
  const { now } = await site.app.context()
  const hour = new Date(now()).getHours()
  // In its quiet hours, so that nothing of it is done.
  const source = await site.start({
    start: [`${library.origin}/`],
    max_hours: 2,
    quiet_from: hour,
    quiet_to: (hour + 5) % 24,
  })
  site.advanceClock(hourMs)
  await site.runDueJobs()
  expect(await stateOf(source)).toBe(SpiderSourceState.Running)
  site.advanceClock(hourMs + 60_000)
  await site.runDueJobs()
  expect(await stateOf(source)).toBe(SpiderSourceState.Idle)
  expect(library.log).toEqual([])
})

test('a source has as many documents as its rule allows', async () => {
  const library = await open()
  const { documents } = await site.crawl({ start: [`${library.origin}/`], depth: 9, max_documents: 4 })
  expect(Object.keys(documents)).toHaveLength(4)
})

async function open() {
  const library = await openLibrarySite({ documents: 6, articles: 0 })
  onTestFinished(() => library.close())
  return library
}

async function stateOf(id: number): Promise<SpiderSourceState> {
  const { state } = await site.root.call(spiderSources.get, { id })
  return state
}

function toDays(at: unknown): number {
  return Math.round(new Date(at as string).getTime() / (24 * hourMs))
}
