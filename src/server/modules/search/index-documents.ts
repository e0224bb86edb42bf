import type { Ctx } from '#server/context.ts'
import { among } from '#server/db/in-list.ts'
import {
  checkEntries,
  enqueueFiling,
  fileEntries,
  type Filing,
  headMarkOf,
  type Wanted as WantedEntry,
} from './indexing.ts'
import type { PageText } from '#server/fulltext/fulltext.ts'
import { pagesPerSlice } from '#server/modules/renditions/storage-keys.ts'
import { documentsOf } from '#server/modules/renditions/renditions.queries.ts'
import { pageTexts } from '#server/modules/renditions/page-text.ts'

const kind = 'document'

/** The text of a content is there: all documents with it can be found by it. */
export async function enqueueIndexingOf(ctx: Ctx, hash: string): Promise<void> {
  const rendition = await ctx.db
    .selectFrom('rendition')
    .select(['pages', 'read_pages'])
    .where('hash', '=', hash)
    .where('state', '=', 'done')
    .executeTakeFirst()
  if (rendition && rendition.read_pages >= rendition.pages)
    await enqueueFiling(ctx, kind, await documentsOf(ctx.db, hash))
}

export function indexDocuments(ctx: Ctx, ids: readonly number[]): Promise<void> {
  return fileEntries(ctx, documentFiling, ids)
}

export function checkIndex(ctx: Ctx, stretch: { from: number; all?: boolean }): Promise<void> {
  return checkEntries(ctx, documentFiling, stretch)
}

interface Wanted extends WantedEntry {
  hash: string
  revision: number
  pages: number
}

const documentFiling: Filing<Wanted> = {
  kind,

  async idsAfter({ db }, after, limit) {
    const rows = await db
      .selectFrom('document')
      .select('id')
      .where('id', '>', after)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(({ id }) => id)
  },

  async wantedOf({ db }, ids) {
    if (ids.length === 0) return new Map()
    const rows = await db
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
      .where(among(db, 'document.id', ids))
      .where('deleted_at', 'is', null)
      .execute()
    return new Map(
      rows.map((row) => {
        const { id, hash, title, keywords, description } = row
        const [revision, pages] = [row.revision ?? 0, row.pages ?? 0]
        const isRead = row.state === 'done' && (row.read_pages ?? 0) >= pages
        const head = { title, keywords, description, quality: qualityOf(row) }
        const pagesMark = isRead ? `${hash.slice(0, 16)}-${row.revision}` : ''
        return [id, { id, hash, revision, pages, head, headMark: headMarkOf(head), pagesMark }]
      }),
    )
  },

  async putPages(ctx, { id, hash, revision, pages: last, pagesMark }, anew) {
    for (let from = 1; from <= last; from += pagesPerSlice) {
      const texts = await pageTexts(ctx, hash, revision, from, Math.min(last, from + pagesPerSlice - 1))
      const pages: PageText[] = texts.map((text, index) => ({ page: from + index, text }))
      const isLast = from + pagesPerSlice > last
      await ctx.search.putPages({ kind, id, pages, mark: isLast ? pagesMark : '', ...(anew && { anew }) })
    }
    await ctx.search.cutPages({ kind, id, after: last })
    // What is like it can be told by its text from now on.
    await ctx.db.deleteFrom('document_relate').where('document_id', '=', id).execute()
  },
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
