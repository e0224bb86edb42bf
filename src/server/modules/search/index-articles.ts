import { maxQueryLength } from '#shared/contract/marked-text.ts'
import { inList } from '#server/db/in-list.ts'
import { htmlToText } from '#server/modules/articles/articles.html.ts'
import { fingerprintMetadata, type Indexer } from './indexing.ts'
import { updateKeywords } from './text-keywords.ts'

const kind = 'article'
const pageBatch = 25
const pageLength = 4000

export const articleIndexer: Indexer = {
  kind,

  async listIds({ db }, after, limit) {
    const rows = await db
      .selectFrom('article')
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
      .selectFrom('article')
      .select(['id', 'title', 'keywords', 'description', 'view_count', 'favorite_count', 'recommend_at', 'updated_at'])
      .where(inList(db, 'id', ids))
      .where('deleted_at', 'is', null)
      .execute()
    return new Map(
      rows.map(({ id, title, keywords, description, updated_at, ...row }) => {
        const metadata = { title, keywords, description, quality: scoreQuality(row) }
        const metadataVersion = fingerprintMetadata(metadata)
        return [id, { id, metadata, metadataVersion, pagesVersion: String(updated_at) }]
      }),
    )
  },

  async putPages(ctx, { id, pagesVersion }, force) {
    const row = await ctx.db.selectFrom('article').select('content').where('id', '=', id).executeTakeFirst()
    const pages = splitPages(htmlToText(row?.content ?? '')).map((text, index) => ({ page: index + 1, text }))
    for (let from = 0; from < pages.length; from += pageBatch) {
      const version = from + pageBatch < pages.length ? '' : pagesVersion
      const batch = pages.slice(from, from + pageBatch)
      await ctx.search.putPages({ kind, id, pages: batch, version, ...(force && { force }) })
    }
    await ctx.search.cutPages({ kind, id, after: pages.length })
    await updateKeywords(ctx, { kind, id })
    // Similar articles can be found by its text from now on.
    await ctx.db.deleteFrom('article_relate').where('article_id', '=', id).execute()
  },
}

interface Popularity {
  view_count: number
  favorite_count: number
  recommend_at: number | null
}

/** In coarse steps, so that not every view makes the index entry stale. */
function scoreQuality({ view_count, favorite_count, recommend_at }: Popularity): number {
  const usage = Math.floor(Math.log2(1 + view_count + 5 * favorite_count))
  return Math.min(100, usage * 4 + 5 + (recommend_at === null ? 0 : 20))
}

/** At line breaks; within a longer line with an overlap, so that no query is cut apart. */
export function splitPages(text: string): string[] {
  const pages: string[] = []
  let from = 0
  while (text.length - from > pageLength) {
    const lineEnd = text.lastIndexOf('\n', from + pageLength)
    const to = lineEnd > from ? lineEnd : from + pageLength
    pages.push(text.slice(from, to).toWellFormed())
    from = lineEnd > from ? lineEnd + 1 : to - maxQueryLength
  }
  return [...pages, text.slice(from).toWellFormed()]
}
