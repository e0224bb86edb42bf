import { Link } from 'react-router'
import { formatRelative } from '#shared/format.ts'
import { articlePath } from '#web/lib/paths.ts'

export interface HomeArticle {
  identifier: string
  title: string
  description: string
  author: string
  view_count: number
  created_at: number | null
}

/** What has been written lately. */
export function HomeArticles({ articles, now }: { articles: HomeArticle[]; now: number }) {
  if (articles.length === 0) return null
  return (
    <section aria-label="最新文章" className="mt-10">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-xl">最新文章</h2>
        <Link to="/article" aria-label="更多文章" className="shrink-0 text-sm text-muted hover:text-accent">
          更多
        </Link>
      </div>
      <ul className="mt-4 grid gap-x-10 rounded-lg border border-line bg-surface px-5 py-2 md:grid-cols-2">
        {articles.map((article) => (
          <li key={article.identifier} className="min-w-0 py-3">
            <Link to={articlePath(article)} className="group block">
              <span className="block truncate font-medium group-hover:text-accent">{article.title}</span>
              {article.description && (
                <span className="mt-0.5 block truncate text-sm text-muted">{article.description}</span>
              )}
              <span className="mt-1 flex gap-3 text-xs text-muted tabular-nums">
                {article.author && <span className="max-w-40 truncate">{article.author}</span>}
                {article.created_at !== null && <span>{formatRelative(article.created_at, now)}</span>}
                <span>{article.view_count} 次浏览</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
