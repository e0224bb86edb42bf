import type { Call } from '#shared/client.ts'
import { articles } from '#shared/contract/articles.ts'
import { toRequest, parseArticleQuery, type ArticleQuery } from '#web/features/articles/browse/article-query.ts'
import { toArticleSummary, type ArticleSummary } from '#web/features/articles/browse/article-summary.ts'
import { firstBatch } from '#web/features/articles/browse/load-recommended.ts'
import { guard } from '#web/domain/route-guard.ts'
import { loadSite } from '#web/domain/load-site.ts'
import { notFound, type LoadArgs } from '#web/lib/load.ts'
import type { CategoryNode } from '#web/domain/site.ts'
import { unpackCategories } from '#web/domain/packed-categories.ts'
import { loadList } from '#web/features/lists/load-list.ts'
import { pathTo } from '#web/lib/tree.ts'

interface List {
  total: number
  articles: ArticleSummary[]
}

export async function loadArticles({ api, url }: LoadArgs) {
  const query = parseArticleQuery(url.searchParams)
  const path = query.category === 0 ? [] : await loadPath(api, query.category)
  const [list, recommended] = await Promise.all([loadList(fetchList(api, query), empty), firstBatch(api)])
  return { query, path, list, recommended, now: Date.now() }
}

const empty: List = { total: 0, articles: [] }

/** The browser has the categories already; one that it does not know may be new. */
async function loadPath(api: Call, id: number): Promise<CategoryNode[]> {
  const cached = pathTo(unpackCategories(guard.site()?.categories ?? '').articleCategories, id)
  const path =
    cached.length > 0 || id < 0
      ? cached
      : pathTo(unpackCategories((await loadSite(api)).categories).articleCategories, id)
  if (path.length === 0) throw notFound('没有这个分类')
  return path
}

async function fetchList(api: Call, query: ArticleQuery): Promise<List> {
  const { total, article } = await api(articles.list, toRequest(query))
  return { total, articles: article.map(toArticleSummary) }
}
