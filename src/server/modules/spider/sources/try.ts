import { setTimeout as sleep } from 'node:timers/promises'
import type { spiderSources } from '#shared/contract/spider.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { ContentType } from '#shared/enums.ts'
import { formatTime } from '#shared/format.ts'
import { errors } from '#shared/errors.ts'
import { SpiderEntry } from '#shared/spider.ts'
import type { MemberCtx } from '#server/context.ts'
import { htmlToText } from '#server/modules/articles/articles.html.ts'
import { categoriesOf } from '../crawl/categories.ts'
import { type CrawlSource, ownPort, toPageRule } from '../crawl/crawl-source.ts'
import { type Failure, toFailure } from '../crawl/failures.ts'
import { titleOfOnly } from '../crawl/read-page.ts'
import type { Extractor } from '../extract/extractor.ts'
import type { FoundItem, Metadata } from '../extract/rule.ts'
import { fetchPage, type PageOutcome } from '../fetch/fetch-page.ts'
import { claimHost, type HostLease, releaseHost } from '../fetch/hosts.ts'
import { assertSpiderEnabled } from '../spider.enabled.ts'
import { parseFullAddress } from './addresses.ts'
import { assertValidRule, type SourceForm, toExts } from './check-rule.ts'

export interface TryDeps {
  extractor: Extractor
}

type TryForm = Input<typeof spiderSources.try>
type Tried = Reply<typeof spiderSources.try>
/** What differs from an empty reply. */
type Outcome = Partial<Tried>
type FetchedPage = Extract<PageOutcome, { kind: 'page' }>

const megabyte = 1024 * 1024
const secondMs = 1000
/** For the page with its robots.txt: a person waits for the reply, and requests of the API end after half a minute. */
const deadlineMs = 12 * secondMs
/** For the host, when it is being crawled. */
const hostPatienceMs = 5 * secondMs
const hostCheckMs = 250
/** Of one page; a sitemap may have very many. */
const shownAddresses = 1000
const excerptLength = 300
/** Of the HTML that the excerpt is made from. */
const readLength = 20_000

/**
 * What a rule would find on one page. Nothing is stored but the host's robots.txt and its turn. What is wrong with the form is
 * refused; what goes wrong on the way to the page is told.
 */
export async function trySource(ctx: MemberCtx, deps: TryDeps, { url, is_sitemap, ...form }: TryForm): Promise<Tried> {
  ctx.audit?.({ ids: [], change: url })
  assertSpiderEnabled(ctx)
  await assertValidRule(ctx, form)
  const address = parseFullAddress(url, form.drop_params)
  if (!address) throw errors.spider.addressWrong().at('url')
  const startedAt = performance.now()
  const source = toCrawlSource(ctx, form)
  const outcome = await atHost(ctx, address.origin, (lease) =>
    readPage(ctx, deps, { source, address, isSitemap: is_sitemap || isOfIndex(source, address), lease }),
  )
  const duration_ms = Math.round(performance.now() - startedAt)
  return { ...nothing, url: address.href, ...outcome, duration_ms }
}

const nothing: Omit<Tried, 'url' | 'duration_ms'> = {
  reason: '',
  detail: '',
  http_status: 0,
  title: '',
  description: '',
  keywords: '',
  dated_at: null,
  unmatched: [],
  page: [],
  document: [],
  excerpt: '',
  skipped: 0,
}

function toCrawlSource({ viewer }: MemberCtx, { target, user_id, ...rule }: SourceForm): CrawlSource {
  return { id: 0, target, run: 0, userId: user_id || viewer.id, rule: { ...rule, ext: toExts(rule.ext) } }
}

/** The sitemaps that an index names are read as the index is. */
function isOfIndex({ rule }: CrawlSource, { pathname }: URL): boolean {
  return rule.entry === SpiderEntry.Sitemap && /\.xml(\.gz)?$/i.test(pathname)
}

/** Holds the host meanwhile: it has one connection at a time, also while a source is running. */
async function atHost(ctx: MemberCtx, origin: string, read: (lease: HostLease) => Promise<Outcome>): Promise<Outcome> {
  for (let waitedMs = 0; waitedMs <= hostPatienceMs; waitedMs += hostCheckMs) {
    const lease = await claimHost(ctx, origin, { isBeyondLimit: true })
    if (!lease) {
      await sleep(hostCheckMs)
      continue
    }
    try {
      return await read(lease)
    } finally {
      await releaseHost(ctx, lease)
    }
  }
  return { reason: 'waiting', detail: '这个网站正在采集，请稍后再试，或先暂停采集源' }
}

interface Page {
  source: CrawlSource
  address: URL
  isSitemap: boolean
  lease: HostLease
}

async function readPage(ctx: MemberCtx, deps: TryDeps, page: Page): Promise<Outcome> {
  const { source, address, lease } = page
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    const fetched = await fetchPage(ctx, {
      url: address.href,
      etag: '',
      lastModified: '',
      maxBytes: ctx.settings.spider.max_page_size * megabyte,
      port: ownPort(source, address.href),
      delayMs: source.rule.delay * secondMs,
      lease,
      signal,
    })
    if (fetched.kind === 'failed') return tell(fetched)
    if (fetched.kind === 'unchanged') return { http_status: fetched.status }
    if (fetched.kind === 'file') return await describeFile(ctx, deps, source, fetched.url)
    return { http_status: fetched.status, ...(await extract(ctx, deps, page, fetched)) }
  } catch (error) {
    if (signal.aborted) return { reason: 'timeout' }
    const failure = toFailure(error)
    if (!failure) throw error
    return tell(failure)
  }
}

async function extract(
  ctx: MemberCtx,
  deps: TryDeps,
  { source, isSitemap }: Page,
  fetched: FetchedPage,
): Promise<Outcome> {
  const { extractor } = deps
  const { url, contentType, body } = fetched
  const task = { url, contentType, body, rule: toPageRule(ctx, source) }
  if (isSitemap) {
    const { pages, items, sitemaps } = await extractor.sitemap(task)
    const page = [...sitemaps, ...pages.map((each) => each.url)].slice(0, shownAddresses)
    return { url, page, document: await withCategories(ctx, deps, source, items) }
  }
  if (await isArticle(extractor, source, url)) {
    if (fetched.noindex) return { reason: 'noindex' }
    const article = await extractor.article(task)
    if (article.noindex) return { reason: 'noindex' }
    const excerpt = htmlToText(article.content.slice(0, readLength)).slice(0, excerptLength).toWellFormed()
    const document = await withCategories(ctx, deps, source, [{ url, title: article.title }])
    if (excerpt === '' && article.pictures.length === 0) return { url, ...toMetadata(article), reason: 'empty_article' }
    return { url, ...toMetadata(article), excerpt, document }
  }
  const { pages, items, skipped, ...metadata } = await extractor.page(task)
  // What the header says holds as well as what the page says.
  const taken = fetched.nofollow ? [] : withTitle(source, metadata, items)
  return {
    url,
    ...toMetadata(metadata),
    page: fetched.nofollow ? [] : pages.slice(0, shownAddresses),
    document: await withCategories(ctx, deps, source, taken),
    skipped: fetched.nofollow ? skipped + pages.length + items.length : skipped,
  }
}

/** As the crawl does. */
function withTitle(source: CrawlSource, page: Metadata, items: FoundItem[]): FoundItem[] {
  const [only, ...others] = items
  return only && others.length === 0 ? [{ ...only, title: titleOfOnly(source, page, only) }] : items
}

/** An article is the page itself; a document is what the page links to. */
async function isArticle(extractor: Extractor, { target, rule }: CrawlSource, url: string): Promise<boolean> {
  if (target !== ContentType.Article) return false
  const [match = -1] = await extractor.match({ patterns: rule.item, urls: [url] })
  return match >= 0
}

/** The address is that of a file. */
async function describeFile(ctx: MemberCtx, deps: TryDeps, source: CrawlSource, url: string): Promise<Outcome> {
  if (source.target === ContentType.Article) return { reason: 'not_a_page' }
  return { url, document: await withCategories(ctx, deps, source, [{ url, title: '' }]) }
}

async function withCategories(
  ctx: MemberCtx,
  deps: TryDeps,
  source: CrawlSource,
  items: readonly { url: string; title: string }[],
): Promise<Tried['document']> {
  const shown = items.slice(0, shownAddresses)
  const categories = await categoriesOf(
    ctx,
    deps,
    source,
    shown.map(({ url }) => url),
  )
  return shown.map(({ url, title }, index) => ({ url, title, category_id: categories[index] ?? [] }))
}

function toMetadata({ title, description, keywords, date, unmatched }: Metadata) {
  return { title, description, keywords, dated_at: date ?? null, unmatched }
}

function tell({ reason, status, detail, retryAt }: Failure): Outcome {
  const when = retryAt && `${formatTime(retryAt)} 之后可以再试`
  return { reason, http_status: status, detail: [detail, when].filter(Boolean).join('；') }
}
