import { noAnswer } from '#shared/spider.ts'
import { createHash } from 'node:crypto'
import { type Ctx, transaction } from '#server/context.ts'
import { fetchPage } from '../fetch/fetch-page.ts'
import { addToday } from '../spider.counts.ts'
import { writeLog } from '../spider.log.ts'
import { moveUrls } from '../spider.status.ts'
import { categoriesOf } from './categories.ts'
import { toPageRule } from './crawl-source.ts'
import type { SpiderDeps } from './deps.ts'
import { addDocuments, addUrls } from './links.ts'
import { enqueueOthers, finished, recordUnchanged, toRequest } from './read-page.ts'
import { recordFailure } from './record-failure.ts'
import type { Turn, UrlWork } from './work.ts'

/** What sitemaps.org allows. */
const maxBytes = 50 * 1024 * 1024
/** An index of indexes is no sitemap any more. */
const maxNesting = 2

/** Reads a sitemap, an index of sitemaps or a feed. The pages that it names count as start addresses. */
export async function readSitemap(ctx: Ctx, deps: SpiderDeps, work: UrlWork, turn: Turn): Promise<void> {
  const startedAt = performance.now()
  const { row, source } = work
  const fetched = await fetchPage(ctx, { ...turn, ...toRequest(work), maxBytes })
  const duration_ms = Math.round(performance.now() - startedAt)
  if (fetched.kind === 'failed') return recordFailure(ctx, work, fetched, duration_ms)
  if (fetched.kind === 'unchanged') return recordUnchanged(ctx, work, { bytes: 0, duration_ms }, fetched)
  if (fetched.kind === 'file') {
    const failure = { reason: 'not_a_sitemap', status: noAnswer, detail: fetched.url, isTemporary: false } as const
    return recordFailure(ctx, work, failure, duration_ms)
  }
  const { url, contentType, body } = fetched
  const measured = { bytes: body.length, duration_ms }
  const content_hash = createHash('sha256').update(body).digest('hex')
  if (content_hash === row.content_hash) return recordUnchanged(ctx, work, measured, fetched)
  const { pages, items, sitemaps } = await deps.extractor.sitemap({
    url,
    contentType,
    body,
    rule: toPageRule(ctx, source),
  })
  const categories = await categoriesOf(
    ctx,
    deps,
    source,
    items.map((item) => item.url),
  )
  await transaction(ctx, async (ctx) => {
    const moved = await moveUrls(ctx, [row.id], 'finish', { ...finished(ctx, source.run, fetched), content_hash })
    // Deleted by staff in the meantime.
    if (moved.length === 0) return
    const nested = row.depth < maxNesting ? sitemaps : []
    await addUrls(ctx, source, [
      ...nested.map((sitemap) => ({ url: sitemap, depth: row.depth + 1, isSitemap: true })),
      ...pages.map((page) => ({ url: page.url, depth: 0 })),
    ])
    const documents = items.map((item, index) => ({
      url: item.url,
      title: item.title,
      datedAt: item.lastModified,
      categoryIds: categories[index] ?? [],
      urlId: row.id,
    }))
    const { origins } = await addDocuments(ctx, source, documents)
    const found = [...nested, ...pages.map((page) => page.url)].flatMap((each) => URL.parse(each)?.origin ?? [])
    await enqueueOthers(ctx, row.origin, [...found, ...origins])
    const detail = `站点地图 ${nested.length} 个，链接 ${pages.length} 个，文档 ${items.length} 份`
    await writeLog(ctx, { url_id: row.id, event: 'fetched', http_status: fetched.status, detail, ...measured })
    await addToday(ctx, { bytes: measured.bytes })
  })
}
