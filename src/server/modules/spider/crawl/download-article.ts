import { noAnswer } from '#shared/spider.ts'
import { createHash } from 'node:crypto'
import type { Ctx } from '#server/context.ts'
import { fetchPage } from '../fetch/fetch-page.ts'
import { findTwin } from '../publish/twins.ts'
import { toPageRule } from './crawl-source.ts'
import type { SpiderDeps } from './deps.ts'
import { keepPictures } from './keep-pictures.ts'
import { toRequest } from './read-page.ts'
import { recordDownload, recordLink, recordSame } from './record-download.ts'
import { recordFailure } from './record-failure.ts'
import type { DocumentWork, SpiderDocumentRow, Turn } from './work.ts'

const megabyte = 1024 * 1024
const maxTitleLength = 255

/** Reads the page of an article: its text, and the pictures in it, which are kept by this site. */
export async function downloadArticle(ctx: Ctx, deps: SpiderDeps, work: DocumentWork, turn: Turn): Promise<void> {
  const startedAt = performance.now()
  const { kind, row, source } = work
  const known = kind === 'check' ? {} : { etag: '', lastModified: '' }
  const maxBytes = ctx.settings.spider.max_page_size * megabyte
  const fetched = await fetchPage(ctx, { ...turn, ...toRequest(work), ...known, maxBytes })
  const measured = { bytes: 0, duration_ms: Math.round(performance.now() - startedAt) }
  if (fetched.kind === 'failed') return recordFailure(ctx, work, fetched, measured.duration_ms)
  if (fetched.kind === 'unchanged') return recordSame(ctx, work, fetched, measured)
  const refuse = (reason: 'not_a_page' | 'noindex' | 'empty_article', status: number = noAnswer) =>
    recordFailure(ctx, work, { reason, status, detail: '', isTemporary: false }, measured.duration_ms)
  if (fetched.kind === 'file') return refuse('not_a_page')
  if (fetched.noindex) return refuse('noindex', fetched.status)
  const { url, contentType, body } = fetched
  measured.bytes = body.length
  const task = { url, contentType, body, rule: toPageRule(ctx, source) }
  const { content, pictures, noindex, ...page } = await deps.extractor.article(task)
  if (noindex) return refuse('noindex', fetched.status)
  if (isEmpty(content)) return refuse('empty_article', fetched.status)
  const hash = createHash('sha256').update(content).digest('hex')
  if (kind === 'check' && hash === row.hash) return recordSame(ctx, work, fetched, measured)
  const twin = await findTwin(ctx.db, { ...row, hash })
  if (twin) return recordLink(ctx, work, { answer: fetched, measured, hash, article_id: twin.article_id })
  const kept = await keepPictures(ctx, deps, { content, pictures, ownerId: row.user_id, source, turn })
  await recordDownload(ctx, work, {
    answer: fetched,
    measured: { ...measured, bytes: measured.bytes + kept.bytes },
    hash,
    content: kept.content,
    size: Buffer.byteLength(kept.content),
    ...describe(row, page),
  })
}

function isEmpty(content: string): boolean {
  return !content.includes('<img ') && content.replace(/<[^>]*>|&nbsp;/g, '').trim() === ''
}

/** What staff have made of it since its first download stays. */
function describe(
  row: SpiderDocumentRow,
  page: { title: string; description: string; keywords: string; date?: number },
) {
  const title = page.title.slice(0, maxTitleLength).toWellFormed()
  return {
    title: row.downloaded_at === null && title !== '' ? title : row.title,
    description: row.description || page.description,
    keywords: row.keywords || page.keywords,
    dated_at: row.dated_at ?? page.date ?? null,
  }
}
