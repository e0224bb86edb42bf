import type { DocumentHit, searches, Suggestion } from '#shared/contract/search.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import type { SearchHit } from '#server/fulltext/fulltext.ts'
import { toFilters } from '#server/modules/documents/browsing/filters.ts'
import { listedDocumentFilter } from '#server/modules/documents/visibility/search-filter.ts'
import { withPayment } from '#server/modules/documents/documents.paid.ts'
import { countVisiblePages } from '#server/modules/documents/documents.policy.ts'
import { presentDocuments } from '#server/modules/documents/documents.present.ts'
import { findListedDocuments } from '#server/modules/documents/documents.queries.ts'
import { countDocumentFacets, isFiltered } from './facets.ts'
import type { PopularWords } from './popular-words.ts'
import { searchPage } from './search-page.ts'

const sortColumns = [
  'pages',
  'size',
  'view_count',
  'download_count',
  'favorite_count',
  'score',
  'price',
  'created_at',
] as const

/** Documents of the viewer's lists that match the words and filters. */
export async function searchDocuments(
  ctx: Ctx,
  input: Input<typeof searches.documents>,
  popularWords: PopularWords,
): Promise<Reply<typeof searches.documents>> {
  const { wd, page, sort } = input
  const noFacets = { ...input, category_id: [], ext: '', fee_type: '', language: [] }
  const request = {
    kind: 'document' as const,
    wd,
    page,
    sort,
    sortColumns,
    deferred: input.deferred,
    visibility: listedDocumentFilter(ctx, toFilters(input, ctx.now())),
    unfiltered: isFiltered(input) ? listedDocumentFilter(ctx, toFilters(noFacets, ctx.now())) : undefined,
    previewPages: (ids: number[]) => findPreviews(ctx, ids),
    extras: input.extras
      ? { popularWords, countFacets: (ids: readonly number[]) => countDocumentFacets(ctx, ids, input) }
      : undefined,
  }
  const { results, ...reply } = await searchPage(ctx, request, (hits) => present(ctx, hits))
  return { ...reply, document: results }
}

/** Titles with these words, or whose pinyin contains these letters. */
export async function suggestDocuments(ctx: Ctx, words: string, limit: number): Promise<Suggestion[]> {
  const visibility = listedDocumentFilter(ctx)
  const titles = await ctx.search.suggest({ kind: 'document', words, visibility, limit })
  const rows = await findListedDocuments(
    ctx,
    titles.map(({ id }) => id),
  )
  const ranges = new Map(titles.map(({ id, titleRanges }) => [id, titleRanges]))
  return rows.map(({ id, uuid, ext, title }) => ({ text: title, ranges: ranges.get(id) ?? [], uuid, ext }))
}

/** How many pages of each may be looked at: no snippet quotes a page beyond. */
async function findPreviews(ctx: Ctx, ids: number[]): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('document')
    .select(['id', 'user_id', 'pages', 'price', 'is_vip'])
    .where(inList(ctx.db, 'id', ids))
    .execute()
  const paid = await withPayment(ctx, rows)
  const previews = new Map(paid.map((row) => [row.id, countVisiblePages(ctx, row)]))
  return ids.map((id) => previews.get(id) ?? 0)
}

async function present(ctx: Ctx, hits: readonly SearchHit[]): Promise<DocumentHit[]> {
  const rows = await findListedDocuments(
    ctx,
    hits.map(({ id }) => id),
  )
  const byId = new Map((await presentDocuments(ctx, rows)).map((document) => [document.id, document]))
  return hits.flatMap(({ id, titleRanges, bestPage, matchingPages, excerpt, words = '' }) => {
    const document = byId.get(id)
    if (!document) return []
    return {
      ...document,
      view_count: 0,
      download_count: 0,
      favorite_count: 0,
      title_ranges: titleRanges,
      excerpt: excerpt ?? { text: '', ranges: [] },
      hit_page: bestPage?.page ?? 0,
      hit_pages: matchingPages,
      hit_words: words,
    }
  })
}
