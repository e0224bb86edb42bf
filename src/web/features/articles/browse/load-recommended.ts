import type { Call } from '#shared/client.ts'
import { ReviewStatus } from '#shared/enums.ts'
import { articles } from '#shared/contract/articles.ts'
import { toArticleLink, type ArticleLink } from '#web/features/articles/browse/article-summary.ts'
import { api } from '#web/lib/api.ts'

const batchSize = 8

export interface Batch {
  page: number
  /** The number of batches. */
  pages: number
  articles: ArticleLink[]
}

/** Loaded with the page. */
export async function firstBatch(call: Call): Promise<Batch> {
  return loadBatch(call, 1).catch(() => ({ page: 1, pages: 0, articles: [] }))
}

/** Loaded in the browser; after the last batch comes the first. */
export async function nextBatch({ page, pages }: Batch): Promise<Batch> {
  const next = await loadBatch(api, page < pages ? page + 1 : 1)
  return next.articles.length > 0 || next.page === 1 ? next : loadBatch(api, 1)
}

async function loadBatch(call: Call, page: number): Promise<Batch> {
  const { total, article } = await call(articles.list, {
    is_recommend: [true],
    status: [ReviewStatus.Approved],
    page,
    size: batchSize,
    order: 'recommend_at desc',
  })
  return { page, pages: Math.ceil(total / batchSize), articles: article.map(toArticleLink) }
}
