import type { Call } from '#shared/client.ts'
import { articles } from '#shared/contract/articles.ts'
import { readyHtml } from '#web/features/articles/body/ready-html.ts'
import { line } from '#web/features/articles/browse/listed.ts'
import { api as ownApi } from '#web/lib/api.ts'
import { notFound, type Given } from '#web/lib/load.ts'

const longestIdentifier = 64
const mostRelated = 8
const mostLatest = 5

/** Everything the page of an article shows. */
export async function loadArticle({ api, params }: Given) {
  const { identifier = '' } = params
  if (identifier === '' || identifier.length > longestIdentifier) throw notFound('文章不存在或已被删除')
  const [{ content, ...article }, related] = await Promise.all([
    api(articles.get, { identifier }),
    relatedTo(api, identifier),
  ])
  const latest = await latestOf(api, article)
  return { article, ...readyHtml(content), related, latest, forStranger: import.meta.env.SSR }
}

/** Rendering counts no readers: the browser says that there is one. */
export async function countReader(identifier: string): Promise<void> {
  await ownApi(articles.get, { identifier }).catch(() => undefined)
}

async function relatedTo(api: Call, identifier: string) {
  const reply = await api(articles.related, { identifier }).catch(() => ({ article: [] }))
  return reply.article.slice(0, mostRelated).map(line)
}

async function latestOf(api: Call, { id, user_id }: { id: number; user_id: number }) {
  if (user_id === 0) return []
  const ask = { user_id: [user_id], status: [1], page: 1, size: mostLatest + 1, order: 'id desc' }
  const reply = await api(articles.list, ask).catch(() => ({ article: [] }))
  return reply.article
    .filter((one) => one.id !== id)
    .slice(0, mostLatest)
    .map(line)
}
