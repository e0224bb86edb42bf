import { articles } from '#shared/contract/articles.ts'
import { settings } from '#shared/contract/system.ts'
import type { HomeArticle } from '#web/features/site/home/articles.tsx'
import type { Given } from '#web/lib/load.ts'
import { articlePath } from '#web/lib/paths.ts'

const mostShown = 6

export async function loadHomeArticles({ api }: Given): Promise<HomeArticle[]> {
  const [{ article }, { footer }] = await Promise.all([
    api(articles.list, { page: 1, size: 2 * mostShown, status: [1] }),
    api(settings.get),
  ])
  // What the footer leads to is no news.
  const known = new Set<unknown>(Object.values(footer))
  const news = article.filter((one) => !known.has(articlePath(one))).slice(0, mostShown)
  return news.map(({ identifier, title, description, view_count, created_at, user, author }) => ({
    identifier,
    title,
    description: description.slice(0, 100).toWellFormed(),
    author: user.username || author,
    view_count,
    created_at,
  }))
}
