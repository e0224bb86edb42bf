import { Link } from 'react-router'
import { articlePath } from '#web/lib/paths.ts'
import type { ArticleLine } from '#web/features/articles/browse/listed.ts'

/** What readers of this article may want next. */
export function RelatedArticles({ articles }: { articles: readonly ArticleLine[] }) {
  if (articles.length === 0) return null
  return (
    <section aria-label="相关文章" className="rounded-lg border border-line bg-surface p-4">
      <h2 className="mb-2 text-base">相关文章</h2>
      <ul className="text-sm">
        {articles.map((article) => (
          <li key={article.identifier}>
            <Link to={articlePath(article)} className="line-clamp-2 py-1.5 hover:text-accent">
              {article.title}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
