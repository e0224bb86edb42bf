import type { Ctx } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { cleanQuery } from '#server/fulltext/clean-query.ts'
import type { EntryKind, SearchHit, SearchQuery } from '#server/fulltext/fulltext.ts'
import { ContentType } from '#shared/enums.ts'

const pageSize = 10
/** Where the site sets no limit, or a higher one. */
const maxDepth = 10_000

const contentTypes: Record<EntryKind, ContentType> = {
  document: ContentType.Document,
  article: ContentType.Article,
}

interface SearchRequest extends Pick<SearchQuery, 'kind' | 'visibility' | 'previewPages'> {
  wd: string
  page: number
  /** A column, `latest`, or empty for the order of relevance. */
  sort: string
  sortColumns: readonly string[]
}

/** One page of results, as far as the site lets visitors page. Emits what was searched for, for the search records. */
export async function searchPage<T>(
  ctx: Ctx,
  { wd, page: requestedPage, sort, sortColumns, ...request }: SearchRequest,
  present: (hits: readonly SearchHit[]) => Promise<T[]>,
): Promise<{ total: number; more: boolean; spend: string; results: T[] }> {
  const words = cleanQuery(wd)
  if (words === '') return { total: 0, more: false, spend: '', results: [] }
  const startedAt = performance.now()
  const maxPages = Math.min(ctx.settings.display.max_search_pages || Infinity, maxDepth / pageSize)
  const page = Math.min(Math.max(1, requestedPage), maxPages)
  const { total, hasMore, hits } = await ctx.search.search({
    ...request,
    words,
    ...sortBy(ctx, request.kind, { sort, sortColumns }),
    ...(!ctx.settings.search.enable_content && { within: 'metadata' as const }),
    offset: (page - 1) * pageSize,
    limit: pageSize,
    maxTotal: maxPages * pageSize,
  })
  const results = await present(hits)
  const ms = performance.now() - startedAt
  const type = contentTypes[request.kind]
  ctx.emit('search.answered', { type, words, total, page, ms, viewer: ctx.viewer.id, ...ctx.origin })
  return { total, more: hasMore, spend: (ms / 1000).toFixed(3), results }
}

function sortBy(
  { db }: Ctx,
  table: EntryKind,
  { sort, sortColumns }: Pick<SearchRequest, 'sort' | 'sortColumns'>,
): Pick<SearchQuery, 'sortBy'> {
  if (sort === 'latest') return { sortBy: async (ids) => ids.toSorted((a, b) => b - a) }
  if (!sortColumns.includes(sort)) return {}
  return {
    async sortBy(ids) {
      const rows = await db
        .selectFrom(table)
        .select('id')
        .where(inList(db, 'id', ids))
        .orderBy(sort as 'created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return rows.map(({ id }) => id)
    },
  }
}
