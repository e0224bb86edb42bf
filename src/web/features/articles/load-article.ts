import { redirect } from 'react-router'
import type { Call } from '#shared/client.ts'
import { ReviewStatus } from '#shared/enums.ts'
import { articles } from '#shared/contract/articles.ts'
import { prepareHtml } from '#web/features/articles/body/prepare-html.ts'
import { toArticleLink } from '#web/features/articles/browse/article-summary.ts'
import { api as browserApi } from '#web/lib/api.ts'
import { articlePath } from '#web/domain/paths.ts'
import { notFound, type LoadArgs } from '#web/lib/load.ts'

const maxIdentifierLength = 64
const maxRelated = 8
const maxLatest = 5

export async function loadArticle({ api, params }: LoadArgs) {
  const { identifier = '' } = params
  if (identifier === '' || identifier.length > maxIdentifierLength) throw notFound('文章不存在或已被删除')
  const [{ content, ...article }, related] = await Promise.all([
    api(articles.get, { identifier }).catch((error: unknown) => redirectToIdentifier(api, identifier, error)),
    loadRelated(api, identifier),
  ])
  const latest = await loadLatest(api, article)
  const { html, headings } = prepareHtml(content)
  return withHtml({ article, headings, related, latest, renderedAnonymously: import.meta.env.SSR }, html)
}

/** The server sends the text once, as part of the page: a property that is not enumerable is not serialized for the browser. */
function withHtml<T extends object>(data: T, html: string): T & { html?: string } {
  return Object.defineProperty(data, 'html', { value: html, enumerable: !import.meta.env.SSR })
}

/** An article has one address: its number leads there. */
async function redirectToIdentifier(api: Call, number: string, error: unknown): Promise<never> {
  const found =
    /^[1-9]\d{0,14}$/.test(number) && (await api(articles.get, { id: Number(number) }).catch(() => undefined))
  throw found ? redirect(articlePath(found), 301) : error
}

/** Rendering does not count views; fetching the article from the browser does. */
export async function countView(identifier: string): Promise<void> {
  await browserApi(articles.get, { identifier }).catch(() => undefined)
}

async function loadRelated(api: Call, identifier: string) {
  const reply = await api(articles.related, { identifier }).catch(() => ({ article: [] }))
  return reply.article.slice(0, maxRelated).map(toArticleLink)
}

async function loadLatest(api: Call, { id, user_id }: { id: number; user_id: number }) {
  if (user_id === 0) return []
  const reply = await api(articles.list, {
    user_id: [user_id],
    status: [ReviewStatus.Approved],
    page: 1,
    size: maxLatest + 1,
    order: 'id desc',
  }).catch(() => ({ article: [] }))
  return reply.article
    .filter((article) => article.id !== id)
    .slice(0, maxLatest)
    .map(toArticleLink)
}
