import { ReviewStatus } from '#shared/enums.ts'
import { articles } from '#shared/contract/articles.ts'
import { settings } from '#shared/contract/settings.ts'
import type { HomeArticle } from '#web/features/site/home/articles.tsx'
import type { LoadArgs } from '#web/lib/load.ts'
import { articlePath } from '#web/domain/paths.ts'

const maxArticles = 6

export async function loadHomeArticles({ api }: LoadArgs): Promise<HomeArticle[]> {
  const [{ article }, { footer }] = await Promise.all([
    api(articles.list, { page: 1, size: 2 * maxArticles, status: [ReviewStatus.Approved] }),
    api(settings.get),
  ])
  // The pages of the footer, such as the imprint, are no news.
  const footerLinks = new Set<unknown>(Object.values(footer))
  const news = article.filter((item) => !footerLinks.has(articlePath(item))).slice(0, maxArticles)
  return news.map(({ identifier, title, description, view_count, created_at, user, author }) => ({
    identifier,
    title,
    description: description.slice(0, 100).toWellFormed(),
    author: user.username || author,
    view_count,
    created_at,
  }))
}
