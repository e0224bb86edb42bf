import type { Call } from '#shared/client.ts'
import { articles } from '#shared/contract/articles.ts'
import { line, type ArticleLine } from '#web/features/articles/browse/listed.ts'
import { api } from '#web/lib/api.ts'

const batchSize = 8

export interface Batch {
  page: number
  /** How many batches there are. */
  pages: number
  articles: ArticleLine[]
}

/** The first batch, with the page. */
export async function firstBatch(call: Call): Promise<Batch> {
  return batchAt(call, 1).catch(() => ({ page: 1, pages: 0, articles: [] }))
}

/** Another batch, as the browser asks for it; after the last comes the first. */
export async function nextBatch({ page, pages }: Batch): Promise<Batch> {
  const next = await batchAt(api, page < pages ? page + 1 : 1)
  return next.articles.length > 0 || next.page === 1 ? next : batchAt(api, 1)
}

async function batchAt(call: Call, page: number): Promise<Batch> {
  const ask = { is_recommend: [true], status: [1], page, size: batchSize, order: 'recommend_at desc' }
  const { total, article } = await call(articles.list, ask)
  return { page, pages: Math.ceil(total / batchSize), articles: article.map(line) }
}
