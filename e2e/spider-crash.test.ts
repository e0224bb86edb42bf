import { once } from 'node:events'
import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { spiderSources } from '#shared/contract/spider.ts'
import { AttachmentType } from '#shared/enums.ts'
import { SpiderDocumentStatus, SpiderPublish, SpiderSourceState, SpiderUrlStatus } from '#shared/spider.ts'
import { failExpired } from '#server/jobs/queue.ts'
import { type LibrarySite, openLibrarySite } from '#server/testing/spider/library-site.ts'
import { mostAtOnce } from '#server/testing/spider/web-server.ts'
import { configure, runCli } from './owner.ts'
import { type RunningSite, startSite } from './running-site.ts'
import { signInAsRoot } from './site-setup.ts'

/** SIGKILL at random moments of a crawl: nothing is there twice, nothing is stuck. `SPIDER_KILLS=50` for many of them. */

const kills = Number(process.env.SPIDER_KILLS ?? 6)
/** From a process's first request to its end; the delay between requests is such that it makes about twelve. */
const maxRunMs = 480
const password = 'owner password'
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

test.each(['sqlite', 'postgres'] as const)(
  'a crawl that is killed again and again ends with every page and every file once (%s)',
  async (engine) => {
    // Two requests for each document: more than the processes can send, with the delay, before the last of them is killed.
    const library = await openLibrarySite({ documents: kills * 8, articles: 8, pageSize: 10, exts: ['.pdf', '.txt'] })
    ends.push(() => library.close())
    const first = await startSite(engine, { ADMIN_PASSWORD: password })
    ends.push(() => first.stop())
    await startCrawl(first, library)

    let site = first
    for (let kill = 0; kill < kills; kill++) {
      await untilRequested(library)
      await setTimeout(Math.random() * maxRunMs)
      site.process.kill('SIGKILL')
      await once(site.process, 'exit')
      await passMinutes(first)
      site = await first.startSecond()
      ends.push(site.stop)
    }
    expect(await countUnfinished(first), 'killed in the middle of it').toBeGreaterThan(0)
    await expect.poll(() => countUnfinished(first), { timeout: 120_000 + kills * 4000, interval: 250 }).toBe(0)
    await expectEachOnce(first, library)
    await expectNoLeftovers(first)

    expect(mostAtOnce(library.log)).toBe(1)
    // A kill costs at most the request that was under way.
    const requests = library.paths().filter((path) => path !== '/robots.txt')
    expect(requests.length - library.reachable().length).toBeLessThanOrEqual(kills)
    expect(await runCli(first, 'check')).toContain('没有问题')
  },
  180_000 + kills * 15_000,
)

async function startCrawl(site: RunningSite, library: LibrarySite): Promise<void> {
  const { call } = await signInAsRoot(site, password)
  await configure(site, {
    'spider.enable': 'true',
    'spider.delay_ms': '50',
    'spider.private_hosts': new URL(library.origin).host,
  })
  const rule = { start: [`${library.origin}/`], depth: 20, publish: SpiderPublish.Now }
  const { id } = await call(spiderSources.create, { name: '小城文库', ...rule })
  await call(spiderSources.start, { id: [id] })
}

/** Until the running process has asked the library for something. */
async function untilRequested({ log }: LibrarySite): Promise<void> {
  const before = log.length
  await expect.poll(() => log.length, { timeout: 30_000, interval: 5 }).toBeGreaterThan(before)
}

/** As if some minutes had passed: leases have ended, a job that was killed too often has failed, and the tick is due. */
async function passMinutes({ db }: RunningSite): Promise<void> {
  await db.updateTable('job').set({ lease_until: 1 }).where('state', '=', 'running').execute()
  await failExpired(db, Date.now())
  await db.updateTable('spider_host').set({ busy_until: 1 }).execute()
  await db.deleteFrom('revision').where('name', '=', 'schedule:spider.tick').execute()
}

/** Sources that run, links to be read, files and articles on their way, and jobs about them. */
async function countUnfinished({ db }: RunningSite): Promise<number> {
  const sources = await db
    .selectFrom('spider_source')
    .select('id')
    .where('state', '<>', SpiderSourceState.Idle)
    .execute()
  const urls = await db
    .selectFrom('spider_url')
    .select('id')
    .where('status', 'in', [SpiderUrlStatus.Pending, SpiderUrlStatus.Crawling])
    .execute()
  const documents = await db
    .selectFrom('spider_document')
    .select('id')
    .where('status', '<>', SpiderDocumentStatus.Published)
    .execute()
  const jobs = await db.selectFrom('job').select('id').where('kind', '=', 'spider.publish').execute()
  return sources.length + urls.length + documents.length + jobs.length
}

async function expectEachOnce({ db }: RunningSite, library: LibrarySite): Promise<void> {
  const files = new Set(library.documents.map(({ file }) => file))
  // The page that robots.txt forbids is known, and has failed.
  const urls = await db.selectFrom('spider_url').select('url').where('status', '=', SpiderUrlStatus.Done).execute()
  const pages = library.reachable().filter((path) => !files.has(path))
  expect(urls.map(({ url }) => new URL(url).pathname).toSorted()).toEqual(pages.toSorted())

  const crawled = await db.selectFrom('spider_document').select(['url', 'hash', 'document_id']).execute()
  expect(crawled.map(({ url }) => new URL(url).pathname).toSorted()).toEqual([...files].toSorted())
  const documents = await db.selectFrom('document').select(['id', 'hash', 'title']).execute()
  expect(documents.map(({ hash }) => hash).toSorted()).toEqual(crawled.map(({ hash }) => hash).toSorted())
  expect(new Set(documents.map(({ hash }) => hash)).size).toBe(files.size)
  expect(new Set(crawled.map(({ document_id }) => document_id))).toEqual(new Set(documents.map(({ id }) => id)))
  expect(documents.map(({ title }) => title).toSorted()).toEqual(library.documents.map(({ title }) => title).toSorted())

  const attachments = await db
    .selectFrom('attachment')
    .select('hash')
    .where('type', '=', AttachmentType.CrawledDocument)
    .execute()
  expect(attachments).toHaveLength(files.size)
  const failed = await db.selectFrom('job').select(['kind', 'error']).where('state', '=', 'failed').execute()
  expect(failed.filter(({ error }) => error !== '处理它的进程一再中断')).toEqual([])
}

/** What was being downloaded when a process was killed goes when it is too old to belong to one that lives. */
async function expectNoLeftovers(site: RunningSite): Promise<void> {
  const folder = join(site.dataDir, 'tmp')
  const names = readdirSync(folder)
  expect(names.filter((name) => !name.endsWith('.download'))).toEqual([])
  expect(names.length).toBeLessThanOrEqual(kills)
  // Whether a kill has hit a download is a matter of chance.
  writeFileSync(join(folder, 'killed.download'), 'half')
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1, 1)
  await passMinutes(site)
  await expect.poll(() => readdirSync(folder), { timeout: 60_000, interval: 250 }).toEqual([])
}
