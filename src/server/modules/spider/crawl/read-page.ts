import { noAnswer } from '#shared/spider.ts'
import { toTitle } from '#shared/document-kinds.ts'
import { ContentType } from '#shared/enums.ts'
import { type Ctx, transaction } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import type { ExtractedPage, FoundItem } from '../extract/rule.ts'
import { type FetchedPage, fetchPage } from '../fetch/fetch-page.ts'
import { addToday } from '../spider.counts.ts'
import { writeLog } from '../spider.log.ts'
import { moveUrls } from '../spider.status.ts'
import { categoriesOf } from './categories.ts'
import { type CrawlSource, ownPort, toPageRule } from './crawl-source.ts'
import type { SpiderDeps } from './deps.ts'
import { enqueueHosts } from './enqueue-hosts.ts'
import { addDocuments, addUrls, type FoundDocument } from './links.ts'
import { recordFailure } from './record-failure.ts'
import type { Measured, Turn, UrlRow, UrlWork, Work } from './work.ts'

const megabyte = 1024 * 1024
const maxTitleLength = 255

/** Reads a page, and writes down in one transaction what was found on it. */
export async function readPage(ctx: Ctx, deps: SpiderDeps, work: UrlWork, turn: Turn): Promise<void> {
  const startedAt = performance.now()
  const { row, source } = work
  const fetched = await fetchPage(ctx, {
    ...turn,
    ...toRequest(work),
    maxBytes: ctx.settings.spider.max_page_size * megabyte,
  })
  const duration_ms = Math.round(performance.now() - startedAt)
  if (fetched.kind === 'failed') return recordFailure(ctx, work, fetched, duration_ms)
  if (fetched.kind === 'unchanged') return recordUnchanged(ctx, work, { bytes: 0, duration_ms }, fetched)
  if (fetched.kind === 'file') return recordFile(ctx, deps, work, { url: fetched.url, duration_ms })
  const { url, contentType, body } = fetched
  const page = await deps.extractor.page({ url, contentType, body, rule: toPageRule(ctx, source) })
  const measured = { bytes: body.length, duration_ms }
  if (page.contentHash !== '' && page.contentHash === row.content_hash)
    return recordUnchanged(ctx, work, measured, fetched)
  if (fetched.nofollow) Object.assign(page, { pages: [], items: [] })
  const categories = await categoriesOf(
    ctx,
    deps,
    source,
    page.items.map((item) => item.url),
  )
  await recordPage(ctx, work, { fetched, page, documents: toDocuments(work, page, categories), measured })
}

/** What is requested, with what is known of it. */
export function toRequest({ row, source }: Work) {
  const port = ownPort(source, row.url)
  return { url: row.url, etag: row.etag, lastModified: row.last_modified, ...(port !== undefined && { port }) }
}

function toDocuments({ row, source }: UrlWork, page: ExtractedPage, categories: readonly number[][]): FoundDocument[] {
  const [only, ...others] = page.items
  // What a page says of itself describes the document that it is about, not a whole list of them.
  if (only && others.length === 0) {
    const { description, keywords, date } = page
    const title = titleOfOnly(source, page, only)
    const categoryIds = categories[0] ?? []
    return [{ url: only.url, title, description, keywords, datedAt: date, categoryIds, urlId: row.id }]
  }
  return page.items.map(({ url, title }, index) => ({
    url,
    title,
    categoryIds: categories[index] ?? [],
    urlId: row.id,
  }))
}

/** Of the only document of a page: the page's own title, where a rule or the want of a better one says so. */
export function titleOfOnly({ rule }: CrawlSource, page: Pick<ExtractedPage, 'title'>, only: FoundItem): string {
  const isTitled = page.title !== '' && (rule.selector_title !== '' || isNamedByFile(only))
  return isTitled ? page.title : only.title
}

/** The link said no more than “download”. */
function isNamedByFile({ url, title }: FoundItem): boolean {
  const name = new URL(url).pathname.split('/').at(-1) ?? ''
  return [name, toTitle(name)].some((each) => each === encodeURI(title))
}

interface ReadPage {
  fetched: FetchedPage
  page: ExtractedPage
  documents: readonly FoundDocument[]
  measured: Measured
}

function recordPage(ctx: Ctx, { row, source }: UrlWork, { fetched, page, documents, measured }: ReadPage) {
  return transaction(ctx, async (ctx) => {
    const { contentHash, title } = page
    const moved = await moveUrls(ctx, [row.id], 'finish', {
      ...finished(ctx, source.run, fetched),
      content_hash: contentHash,
      title: title.slice(0, maxTitleLength).toWellFormed(),
    })
    // Deleted by staff in the meantime.
    if (moved.length === 0) return
    const isDuplicate = await hasTwin(ctx.db, row, source.run, contentHash)
    if (!isDuplicate) {
      const depth = row.depth + 1
      await addUrls(
        ctx,
        source,
        page.pages.map((url) => ({ url, depth })),
      )
      const { origins } = await addDocuments(ctx, source, documents)
      await enqueueOthers(ctx, row.origin, [...page.pages.flatMap((url) => URL.parse(url)?.origin ?? []), ...origins])
    }
    const event = isDuplicate ? 'duplicate' : 'fetched'
    const detail = isDuplicate ? '' : `链接 ${page.pages.length} 个，文档 ${page.items.length} 份`
    await writeLog(ctx, { url_id: row.id, event, http_status: fetched.status, detail, ...measured })
    await addToday(ctx, { bytes: measured.bytes })
  })
}

/** What every request that has been answered leaves on its link. */
export function finished(
  ctx: Ctx,
  run: number,
  { status, etag, lastModified }: { status: number; etag?: string; lastModified?: string },
) {
  return {
    http_status: status,
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { last_modified: lastModified }),
    run,
    tries: 0,
    reason: '' as const,
    detail: '',
    fetched_at: ctx.now(),
  }
}

/** Another page of the source, read in this run, has the same content: its links lead nowhere new. */
async function hasTwin(db: Db, row: UrlRow, run: number, contentHash: string): Promise<boolean> {
  if (contentHash === '' || row.source_id === 0) return false
  const twin = await db
    .selectFrom('spider_url')
    .select('id')
    .where('source_id', '=', row.source_id)
    .where('content_hash', '=', contentHash)
    .where('run', '=', run)
    .where('id', '<>', row.id)
    .limit(1)
    .executeTakeFirst()
  return twin !== undefined
}

export function recordUnchanged(
  ctx: Ctx,
  { row, source }: UrlWork,
  measured: Measured,
  answer: { status: number; etag?: string; lastModified?: string },
): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const moved = await moveUrls(ctx, [row.id], 'finish', finished(ctx, source.run, answer))
    if (moved.length > 0)
      await writeLog(ctx, { url_id: row.id, event: 'unchanged', http_status: answer.status, ...measured })
    await addToday(ctx, { bytes: measured.bytes })
  })
}

/** The address of a page has turned out to be that of a file. */
async function recordFile(
  ctx: Ctx,
  deps: SpiderDeps,
  work: UrlWork,
  { url, duration_ms }: { url: string; duration_ms: number },
): Promise<void> {
  const { row, source } = work
  if (source.target === ContentType.Article)
    return recordFailure(
      ctx,
      work,
      { reason: 'not_a_page', status: noAnswer, detail: url, isTemporary: false },
      duration_ms,
    )
  const [categoryIds = []] = await categoriesOf(ctx, deps, source, [url])
  await transaction(ctx, async (ctx) => {
    const moved = await moveUrls(ctx, [row.id], 'finish', finished(ctx, source.run, { status: 200 }))
    if (moved.length === 0) return
    const { origins } = await addDocuments(ctx, source, [{ url, title: '', categoryIds, urlId: row.id }])
    await enqueueOthers(ctx, row.origin, origins)
    await writeLog(ctx, { url_id: row.id, event: 'file', duration_ms, detail: url })
  })
}

/** The job that runs goes on with its own host. */
export async function enqueueOthers(ctx: Ctx, ownOrigin: string, origins: readonly string[]): Promise<void> {
  await enqueueHosts(
    ctx,
    origins.filter((origin) => origin !== ownOrigin),
  )
}
