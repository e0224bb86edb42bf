import type { Ctx } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import type { PageText } from '#server/fulltext/fulltext.ts'
import { findIdsByContent } from '#server/modules/documents/documents.queries.ts'
import { readPageTexts } from '#server/modules/renditions/page-text.ts'
import { pagesPerSlice } from '#server/modules/renditions/storage-keys.ts'
import { updateKeywords } from './text-keywords.ts'
import { enqueueIndexing, fingerprintMetadata, type Indexer, type SourceEntry } from './indexing.ts'

const kind = 'document'

/** Once the text of a content is extracted, all documents that have it can be found by it. */
export async function enqueueIndexingByContent(ctx: Ctx, hash: string): Promise<void> {
  const rendition = await ctx.db
    .selectFrom('rendition')
    .select(['pages', 'text_pages'])
    .where('hash', '=', hash)
    .where('state', '=', 'done')
    .executeTakeFirst()
  if (rendition && rendition.text_pages >= rendition.pages)
    await enqueueIndexing(ctx, kind, await findIdsByContent(ctx.db, hash))
}

interface DocumentSource extends SourceEntry {
  hash: string
  revision: number
  pages: number
}

export const documentIndexer: Indexer<DocumentSource> = {
  kind,

  async listIds({ db }, after, limit) {
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

  async readSources({ db }, ids) {
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
        'rendition.text_pages',
      ])
      .where(inList(db, 'document.id', ids))
      .where('deleted_at', 'is', null)
      .execute()
    return new Map(
      rows.map((row) => {
        const { id, hash, title, keywords, description } = row
        const [revision, pages] = [row.revision ?? 0, row.pages ?? 0]
        const hasText = row.state === 'done' && (row.text_pages ?? 0) >= pages
        const metadata = { title, keywords, description, quality: scoreQuality(row) }
        const metadataVersion = fingerprintMetadata(metadata)
        const pagesVersion = hasText ? `${hash.slice(0, 16)}-${row.revision}` : ''
        return [id, { id, hash, revision, pages, metadata, metadataVersion, pagesVersion }]
      }),
    )
  },

  async putPages(ctx, { id, hash, revision, pages: last, pagesVersion }, force) {
    for (let from = 1; from <= last; from += pagesPerSlice) {
      const to = Math.min(last, from + pagesPerSlice - 1)
      const texts = await readPageTexts(ctx, { hash, revision, from, to })
      const pages: PageText[] = texts.map((text, index) => ({ page: from + index, text }))
      const version = to === last ? pagesVersion : ''
      await ctx.search.putPages({ kind, id, pages, version, ...(force && { force }) })
    }
    await ctx.search.cutPages({ kind, id, after: last })
    await updateKeywords(ctx, { kind, id })
    // Similar documents can be found by its text from now on.
    await ctx.db.deleteFrom('document_relate').where('document_id', '=', id).execute()
  },
}

interface Popularity {
  view_count: number
  download_count: number
  score: number
  score_count: number
  recommend_at: number | null
}

/** In coarse steps, so that not every view makes the index entry stale. */
function scoreQuality({ view_count, download_count, score, score_count, recommend_at }: Popularity): number {
  const usage = Math.floor(Math.log2(1 + view_count + 5 * download_count))
  const rating = score_count > 0 ? Math.round(score / 100) * 2 : 5
  return Math.min(100, usage * 4 + rating + (recommend_at === null ? 0 : 20))
}
