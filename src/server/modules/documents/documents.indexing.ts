import { createHash } from 'node:crypto'
import type { Ctx } from '#server/context.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { Known, PageText } from '#server/search/search.ts'
import { pagesPerSlice } from './documents.files.ts'
import { documentsOf } from './documents.renditions.ts'
import { pageTexts } from './documents.text.ts'

const atOnce = 200
const kind = 'document'

/** Documents have changed: what is known of them is brought up to date in a moment. */
export async function enqueueIndexing(ctx: Ctx, ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce)
    const key = some.length === 1 ? `index:${some[0]}` : ''
    await enqueue(ctx, { kind: 'documents.index', payload: { id: some }, key, priority: 5 })
  }
}

/** The text of a content is there: all documents with it can be found by it. */
export async function enqueueIndexingOf(ctx: Ctx, hash: string): Promise<void> {
  const rendition = await ctx.db
    .selectFrom('rendition')
    .select(['pages', 'read_pages'])
    .where('hash', '=', hash)
    .where('state', '=', 'done')
    .executeTakeFirst()
  if (rendition && rendition.read_pages >= rendition.pages) await enqueueIndexing(ctx, await documentsOf(ctx.db, hash))
}

/** Brings what is known of these documents up to date. Doing it twice changes nothing. */
export async function indexDocuments(ctx: Ctx, ids: readonly number[], known: readonly Known[] = []): Promise<void> {
  const wanted = await wantedOf(ctx, ids)
  await ctx.search.remove(
    kind,
    ids.filter((id) => !wanted.has(id)),
  )
  const before = new Map(known.map((one) => [one.id, one]))
  for (const document of wanted.values()) {
    const { id, headMark, pagesMark } = document
    const marks = before.get(id)
    if (marks?.headMark !== headMark) await putHead(ctx, document)
    if (pagesMark !== '' && marks?.pagesMark !== pagesMark) await putPages(ctx, document)
  }
}

/** Compares what is known with what there is, a stretch at a time, and has the difference put right. */
export async function checkIndex(ctx: Ctx, { from, all = false }: { from: number; all?: boolean }): Promise<void> {
  const ids = await ctx.db
    .selectFrom('document')
    .select('id')
    .where('id', '>', from)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(atOnce)
    .execute()
  const last = ids.length < atOnce ? Number.MAX_SAFE_INTEGER : (ids.at(-1)?.id ?? 0)
  const known = await knownBetween(ctx, from, last)
  const stretch = [...new Set([...ids.map(({ id }) => id), ...known.map(({ id }) => id)])]
  await indexDocuments(ctx, stretch, all ? [] : known)
  if (ids.length === atOnce)
    await enqueue(ctx, { kind: 'documents.check-index', payload: { from: last, all }, key: checkKey(all) })
}

export async function enqueueCheck(ctx: Ctx, { all = false } = {}): Promise<void> {
  await enqueue(ctx, { kind: 'documents.check-index', payload: { from: 0, all }, key: checkKey(all) })
}

function checkKey(all: boolean): string {
  return all ? 'index-all' : 'index-check'
}

async function knownBetween(ctx: Ctx, from: number, last: number): Promise<Known[]> {
  const found: Known[] = []
  for (let after = from; ;) {
    const some = await ctx.search.list(kind, { after, limit: atOnce })
    const inside = some.filter(({ id }) => id <= last)
    found.push(...inside)
    if (some.length < atOnce || inside.length < some.length) return found
    after = some.at(-1)?.id ?? last
  }
}

type Wanted = Awaited<ReturnType<typeof wantedOf>> extends Map<number, infer W> ? W : never

/** Documents as they should be known. The marks say what they were made from. */
async function wantedOf({ db }: Ctx, ids: readonly number[]) {
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('document')
          .leftJoin('rendition', 'rendition.hash', 'document.hash')
          .select([
            'document.id',
            'document.hash',
            'title',
            'keywords',
            'description',
            'view_count',
            'download_count',
            'score',
            'score_count',
            'recommend_at',
            'rendition.state',
            'rendition.revision',
            'rendition.pages',
            'rendition.read_pages',
          ])
          .where('document.id', 'in', ids)
          .where('deleted_at', 'is', null)
          .execute()
  return new Map(
    rows.map((row) => {
      const isRead = row.state === 'done' && (row.read_pages ?? 0) >= (row.pages ?? 0)
      const head = { title: row.title, keywords: row.keywords, description: row.description, quality: qualityOf(row) }
      const headMark = createHash('sha256').update(JSON.stringify(head)).digest('base64url').slice(0, 16)
      const pagesMark = isRead ? `${row.hash.slice(0, 16)}-${row.revision}` : ''
      return [row.id, { ...row, head, headMark, pagesMark }]
    }),
  )
}

interface Judged {
  view_count: number
  download_count: number
  score: number
  score_count: number
  recommend_at: number | null
}

/** In few steps, so that each reader does not change what is known of a document. */
function qualityOf({ view_count, download_count, score, score_count, recommend_at }: Judged): number {
  const used = Math.floor(Math.log2(1 + view_count + 5 * download_count))
  const judged = score_count > 0 ? Math.round(score / 100) * 2 : 5
  return Math.min(100, used * 4 + judged + (recommend_at === null ? 0 : 20))
}

function putHead({ search }: Ctx, { id, head, headMark }: Wanted): Promise<void> {
  return search.putHead({ kind, id, ...head, mark: headMark })
}

async function putPages(ctx: Ctx, { id, hash, revision, pages, pagesMark }: Wanted): Promise<void> {
  const last = pages ?? 0
  for (let from = 1; from <= last; from += pagesPerSlice) {
    const texts = await pageTexts(ctx, hash, revision ?? 0, from, Math.min(last, from + pagesPerSlice - 1))
    const some: PageText[] = texts.map((text, index) => ({ page: from + index, text }))
    // Known as these pages only when the last of them is in: an interrupted one begins again.
    const isLast = from + pagesPerSlice > last
    await ctx.search.putPages({ kind, id, pages: some, mark: isLast ? pagesMark : '' })
  }
  await ctx.search.cutPages({ kind, id, after: last })
}
