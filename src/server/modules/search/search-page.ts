import type { Ctx } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { cleanQuery } from '#server/fulltext/clean-query.ts'
import type { EntryKind, SearchHit, SearchQuery, SearchResults, VisibilityFilter } from '#server/fulltext/fulltext.ts'
import type { Facet } from '#shared/contract/search.ts'
import { ContentType, type SearchStep } from '#shared/enums.ts'
import { issueTicket, tell } from './answered.ts'
import { relatedWords, wordsThatFind } from './related-words.ts'
import type { PopularWords } from './popular-words.ts'

const pageSize = 10
/** Where the site sets no limit, or a higher one. */
const maxDepth = 10_000
/** Results that facets are counted in. */
const maxCounted = 500

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
  /** The same without the filters that facets offer; undefined if none of them is set. */
  unfiltered: VisibilityFilter | undefined
  /** The search is recorded when a visitor has the page before them. */
  deferred: boolean
  /** For a page of results: also facets, counted in these ids, and related searches. */
  extras?: { popularWords: PopularWords; countFacets: (ids: readonly number[]) => Promise<Facet[]> } | undefined
}

interface SearchPage<T> {
  total: number
  more: boolean
  spend: string
  step: SearchStep | ''
  exact: number
  suggestion: string
  related: string[]
  facet: Facet[]
  facet_more: boolean
  used: string[]
  ticket: string
  results: T[]
}

const nothing = {
  total: 0,
  more: false,
  spend: '',
  step: '' as const,
  exact: 0,
  suggestion: '',
  related: [],
  facet: [],
  facet_more: false,
  used: [],
  ticket: '',
}

/** One page of results, as far as the site lets visitors page. Emits what was searched for, for the search records. */
export async function searchPage<T extends { keywords: string }>(
  ctx: Ctx,
  { wd, page: requestedPage, sort, sortColumns, unfiltered, deferred, extras, ...request }: SearchRequest,
  present: (hits: readonly SearchHit[]) => Promise<T[]>,
): Promise<SearchPage<T>> {
  const words = cleanQuery(wd)
  if (words === '') return { ...nothing, results: [] }
  const startedAt = performance.now()
  const maxPages = Math.min(ctx.settings.display.max_search_pages || Infinity, maxDepth / pageSize)
  const page = Math.min(Math.max(1, requestedPage), maxPages)
  const query: SearchQuery = {
    ...request,
    words,
    ...sortBy(ctx, request.kind, { sort, sortColumns }),
    ...(!ctx.settings.search.enable_content && { within: 'metadata' as const }),
    offset: (page - 1) * pageSize,
    limit: pageSize,
    maxTotal: maxPages * pageSize,
    regional: true,
    ...(extras && { matchingIds: maxCounted }),
  }
  const found = await searchWithFallback(ctx, query, unfiltered)
  const results = await present(found.hits)
  const { total, hasMore, step, exact, suggestion, used = [] } = found
  const ms = performance.now() - startedAt
  const type = contentTypes[request.kind]
  // What only a fallback answered counts as not found: the library lacks it, and other visitors should not be offered the words.
  const answered = { type, words, total: exact, page, ms }
  if (!deferred) tell(ctx, answered)
  const ticket = deferred ? issueTicket(ctx, answered) : ''
  const reply = { ...nothing, total, more: hasMore, step, exact, suggestion, used, ticket, results }
  if (!extras) return { ...reply, spend: formatSeconds(ms) }
  const counted = unfiltered ? await searchUnfiltered(ctx, query, unfiltered) : found
  const ids = counted.ids ?? []
  const related =
    total > 0
      ? await relatedWords(ctx, { words, type, hits: results, popularWords: extras.popularWords })
      : await wordsThatFind(ctx, { words, type })
  const facet = ids.length > 0 ? await extras.countFacets(ids) : []
  const facet_more = counted.hasMore || counted.total > ids.length
  return { ...reply, spend: formatSeconds(performance.now() - startedAt), related, facet, facet_more }
}

/** A filter that leaves nothing of what the words find is no reason for a fallback: the visitor should remove the filter. */
async function searchWithFallback(
  { search }: Ctx,
  query: SearchQuery,
  unfiltered: VisibilityFilter | undefined,
): Promise<SearchResults> {
  if (!unfiltered) return search.search({ ...query, fallback: true })
  const found = await search.search(query)
  if (found.total > 0) return found
  const { sortBy: _sortBy, ...rest } = query
  const all = await search.search({ ...rest, visibility: unfiltered, offset: 0, limit: 0, maxTotal: 1 })
  return all.total > 0 ? found : search.search({ ...query, fallback: true })
}

function searchUnfiltered({ search }: Ctx, query: SearchQuery, visibility: VisibilityFilter): Promise<SearchResults> {
  const { sortBy: _sortBy, ...rest } = query
  return search.search({ ...rest, visibility, offset: 0, limit: 0, fallback: true })
}

function formatSeconds(ms: number): string {
  return (ms / 1000).toFixed(3)
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
