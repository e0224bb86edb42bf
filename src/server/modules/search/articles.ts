import type { ArticleHit, searches, Suggestion } from '#shared/contract/search.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import type { SearchHit } from '#server/fulltext/fulltext.ts'
import { presentArticles } from '#server/modules/articles/articles.present.ts'
import { findPublicArticles } from '#server/modules/articles/articles.queries.ts'
import { publicArticleFilter } from '#server/modules/articles/articles.visibility.ts'
import { countArticleFacets } from './facets.ts'
import type { PopularWords } from './popular-words.ts'
import { searchPage } from './search-page.ts'

const sortColumns = ['view_count', 'favorite_count', 'comment_count', 'created_at'] as const

/** Public articles that match the words and filters. */
export async function searchArticles(
  ctx: Ctx,
  input: Input<typeof searches.articles>,
  popularWords: PopularWords,
): Promise<Reply<typeof searches.articles>> {
  const { wd, page, sort, extras, deferred, ...params } = input
  const isFiltered = params.category_id.length > 0
  const request = {
    kind: 'article' as const,
    wd,
    page,
    sort,
    sortColumns,
    deferred,
    visibility: publicArticleFilter(ctx, { params }),
    unfiltered: isFiltered ? publicArticleFilter(ctx, { params: { ...params, category_id: [] } }) : undefined,
    extras: extras
      ? { popularWords, countFacets: (ids: readonly number[]) => countArticleFacets(ctx, ids, params) }
      : undefined,
  }
  const { results, ...reply } = await searchPage(ctx, request, (hits) => present(ctx, hits))
  return { ...reply, article: results }
}

/** Titles with these words, or whose pinyin contains these letters. */
export async function suggestArticles(ctx: Ctx, words: string, limit: number): Promise<Suggestion[]> {
  const visibility = publicArticleFilter(ctx)
  const titles = await ctx.search.suggest({ kind: 'article', words, visibility, limit })
  const rows = await findPublicArticles(
    ctx.db,
    titles.map(({ id }) => id),
  )
  const ranges = new Map(titles.map(({ id, titleRanges }) => [id, titleRanges]))
  // Clients open an article by its identifier, in the place of a document's uuid.
  return rows.map(({ id, identifier, title }) => ({
    text: title,
    ranges: ranges.get(id) ?? [],
    uuid: identifier,
    ext: '',
  }))
}

async function present(ctx: Ctx, hits: readonly SearchHit[]): Promise<ArticleHit[]> {
  const rows = await findPublicArticles(
    ctx.db,
    hits.map(({ id }) => id),
  )
  const byId = new Map((await presentArticles(ctx, rows)).map((article) => [article.id, article]))
  return hits.flatMap(({ id, titleRanges, excerpt }) => {
    const article = byId.get(id)
    return article ? { ...article, title_ranges: titleRanges, excerpt: excerpt ?? { text: '', ranges: [] } } : []
  })
}
