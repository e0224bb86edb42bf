import type { Call } from '#shared/client.ts'
import { articles } from '#shared/contract/articles.ts'
import { askOf, readQuery, type ArticleQuery } from '#web/features/articles/browse/article-query.ts'
import { listed, type ListedArticle } from '#web/features/articles/browse/listed.ts'
import { firstBatch } from '#web/features/articles/browse/recommended-load.ts'
import { lastSite } from '#web/lib/gate.ts'
import { loadSite } from '#web/lib/load-site.ts'
import { notFound, type Given } from '#web/lib/load.ts'
import type { CategoryNode } from '#web/lib/site.ts'
import { unpack } from '#web/lib/packed-categories.ts'
import { pathTo } from '#web/lib/tree.ts'

interface List {
  total: number
  articles: ListedArticle[]
}

/** How a list is read that may not come: see the route. */
type Read = (list: Promise<List>, none: List) => Promise<List & { problem: string }>

export async function loadArticles({ api, url }: Given, read: Read) {
  const query = readQuery(url.searchParams)
  const path = query.category === 0 ? [] : await pathOf(api, query.category)
  const [list, recommended] = await Promise.all([read(listOf(api, query), none), firstBatch(api)])
  return { query, path, list, recommended, now: Date.now() }
}

const none: List = { total: 0, articles: [] }

/** The browser knows the categories already; one that is new is worth a question. */
async function pathOf(api: Call, id: number): Promise<CategoryNode[]> {
  const known = pathTo(unpack(lastSite()?.categories ?? '').articleCategories, id)
  const path =
    known.length > 0 || id < 0 ? known : pathTo(unpack((await loadSite(api)).categories).articleCategories, id)
  if (path.length === 0) throw notFound('没有这个分类')
  return path
}

async function listOf(api: Call, query: ArticleQuery): Promise<List> {
  const { total, article } = await api(articles.list, askOf(query))
  return { total, articles: article.map(listed) }
}
