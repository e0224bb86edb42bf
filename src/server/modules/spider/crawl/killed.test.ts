import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spiderSources } from '#shared/contract/spider.ts'
import { AttachmentType, ContentType } from '#shared/enums.ts'
import { SpiderDocumentStatus, SpiderPublish, SpiderSourceState, SpiderUrlStatus } from '#shared/spider.ts'
import type { Ctx } from '#server/context.ts'
import { openSanitizer } from '#server/modules/articles/articles.sanitizer.ts'
import { seededRandom } from '#server/testing/seeded-random.ts'
import { openLibrarySite } from '#server/testing/spider/library-site.ts'
import { openSpiderSite, type SpiderSite } from '#server/testing/spider/spider-site.ts'
import { mostAtOnce } from '#server/testing/spider/web-server.ts'
import { openExtractor } from '../extract/extractor.ts'
import { publishDocument } from '../publish/publish-document.ts'
import { crawlHost } from './crawl-host.ts'
import type { SpiderDeps } from './deps.ts'
import { startRun } from './runs.ts'
import { tick } from './tick.ts'

/**
 * A process that is killed leaves its open transaction undone, and nothing after it happens. So does one whose clock fails:
 * every step looks at the clock.
 */

/** Longer than the lease of a host. */
const leaseMs = 61_000
/** Some more than the looks at the clock that one address takes. */
const maxLooks = 42

let site: SpiderSite
let deps: SpiderDeps
beforeAll(async () => {
  site = await openSpiderSite()
  const folder = mkdtempSync(join(tmpdir(), 'wendou-killed-'))
  deps = { extractor: openExtractor(), sanitizer: openSanitizer(), folder }
})
afterAll(async () => {
  await Promise.all([deps.extractor.close(), deps.sanitizer.close()])
  rmSync(deps.folder, { recursive: true, force: true })
  await site.close()
})

test('wherever it is killed, nothing is twice and nothing is stuck', { timeout: 240_000 }, async () => {
  const library = await openLibrarySite({ documents: 16, articles: 2 })
  onTestFinished(() => library.close())
  const random = seededRandom(18)
  const killed = new Map<string, number>()
  /** Kills it at ever other places until it gets through. */
  const persist = async (name: string, step: (ctx: Ctx) => Promise<unknown>, mostLooks = maxLooks) => {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      try {
        return await step(await dying(Math.floor(random() * mostLooks) + attempt))
      } catch (error) {
        if (!(error instanceof Killed)) throw error
        killed.set(name, (killed.get(name) ?? 0) + 1)
        site.advanceClock(leaseMs)
      }
    }
    throw new Error(`${name} does not get through`)
  }
  const files = await create({ start: [`${library.origin}/`], depth: 9 })
  const news = await create({
    start: [`${library.origin}/news/`],
    target: ContentType.Article,
    item: ['/news/*.html'],
    exclude: ['/news/page-*.html'],
  })
  for (const id of [files, news]) await persist('start', (ctx) => startRun(ctx, id), 1)
  const signal = new AbortController().signal
  while (await isRunning()) {
    await persist('crawl', (ctx) => crawlHost(ctx, deps, library.origin, signal))
    await persist('tick', tick, 1)
    for (const id of await publishable())
      await persist(
        'publish',
        (ctx) => publishDocument(ctx, deps, { id, run: { attempt: 1, last: false, priority: 0, owner: 0, signal } }),
        8,
      )
    site.advanceClock(leaseMs)
  }
  await site.runDueJobs()

  const urls = await site.db.selectFrom('spider_url').selectAll().execute()
  for (const { url, reason } of urls.filter(({ status }) => status !== SpiderUrlStatus.Done))
    expect([url, reason]).toEqual([`${library.origin}/private/`, 'robots'])
  const found = await site.db.selectFrom('spider_document').selectAll().execute()
  expect(found).toHaveLength(library.documents.length + library.articles.length)
  expect(found.map(({ status }) => status)).toEqual(found.map(() => SpiderDocumentStatus.Published))
  const documents = await site.db.selectFrom('document').select(['id', 'source_url']).execute()
  expect(documents.map(({ source_url }) => source_url).toSorted()).toEqual(
    library.documents.map(({ file }) => library.origin + file).toSorted(),
  )
  const articles = await site.db
    .selectFrom('article')
    .select(['id', 'source_url'])
    .where('source_url', '<>', '')
    .execute()
  expect(articles.map(({ source_url }) => source_url).toSorted()).toEqual(
    library.articles.map(({ page }) => library.origin + page).toSorted(),
  )
  const stored = await site.db
    .selectFrom('attachment')
    .select('type_id')
    .where('type', '=', AttachmentType.CrawledDocument)
    .execute()
  expect(stored).toHaveLength(documents.length)
  expect(new Set(stored.map(({ type_id }) => type_id))).toEqual(new Set(documents.map(({ id }) => id)))
  const published = await site.db.selectFrom('spider_log').select('id').where('event', '=', 'published').execute()
  expect(published).toHaveLength(found.length)
  expect(mostAtOnce(library.log)).toBe(1)
  expect([...killed.values()].reduce((sum, times) => sum + times)).toBeGreaterThan(100)
  for (const step of ['start', 'crawl', 'tick', 'publish']) expect(killed.get(step), step).toBeGreaterThan(2)
})

class Killed extends Error {}

/** The context of a process that dies at its so-manieth look at the clock. */
async function dying(looks: number): Promise<Ctx> {
  const ctx = await site.app.context()
  let left = looks
  const now = () => {
    if (left === 0) throw new Killed()
    left -= 1
    return ctx.now()
  }
  return { ...ctx, now }
}

async function create(rule: { start: string[] } & Record<string, unknown>): Promise<number> {
  const { id } = await site.root.call(spiderSources.create, { name: '采集源', publish: SpiderPublish.Now, ...rule })
  return id
}

async function isRunning(): Promise<boolean> {
  const running = await site.db
    .selectFrom('spider_source')
    .select('id')
    .where('state', '=', SpiderSourceState.Running)
    .execute()
  return running.length > 0 || (await publishable()).length > 0
}

async function publishable(): Promise<number[]> {
  const rows = await site.db
    .selectFrom('spider_document')
    .select('id')
    .where('status', 'in', [SpiderDocumentStatus.PublishQueue, SpiderDocumentStatus.Publishing])
    .execute()
  return rows.map(({ id }) => id)
}
