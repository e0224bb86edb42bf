import { Link } from 'react-router'
import { articlePath } from '#web/domain/paths.ts'
import type { ArticleLink } from '#web/features/articles/browse/article-summary.ts'

export function RelatedArticles({ articles }: { articles: readonly ArticleLink[] }) {
  if (articles.length === 0) return null
  return (
    <section aria-label="相关文章" className="rounded-lg border border-line bg-surface p-4">
      <h2 className="mb-2 text-base">相关文章</h2>
      <ul className="text-sm">
        {articles.map((article) => (
          <li key={article.identifier}>
            <Link to={articlePath(article)} className="line-clamp-2 py-1.5 font-title hover:text-accent">
              {article.title}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
