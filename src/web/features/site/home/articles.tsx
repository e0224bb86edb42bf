import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { isBuiltInPage } from '#shared/contract/articles.ts'
import { formatRelative, formatTime } from '#shared/format.ts'
import { articlePath } from '#web/domain/paths.ts'
import { cx } from '#web/ui/class-names.ts'

export interface HomeArticle {
  identifier: string
  title: string
  description: string
  author: string
  view_count: number
  created_at: number | null
}

/** The latest articles in a side column. */
export function ArticleColumn({ articles, now }: { articles: HomeArticle[]; now: number }) {
  if (articles.length === 0) return null
  return (
    <Section className="rounded-lg border border-line bg-surface p-5">
      <ul className="mt-2 divide-y divide-line">
        {articles.map((article) => (
          <li key={article.identifier} className="py-2.5 last:pb-0">
            <Link
              discover="none"
              to={articlePath(article)}
              className="line-clamp-2 font-title text-sm leading-snug font-medium hover:text-accent"
            >
              {article.title}
            </Link>
            <p className="mt-1 flex gap-3 text-xs text-muted tabular-nums">
              {article.created_at !== null && <span>{formatRelative(article.created_at, now)}</span>}
              {!isBuiltInPage(article.identifier) && <span>{article.view_count} 次浏览</span>}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The latest articles with their dates, over the full width. */
export function DatedArticles({ articles }: { articles: HomeArticle[] }) {
  if (articles.length === 0) return null
  return (
    <Section className="mt-12">
      <ul className={cx('mt-2 grid gap-x-10 md:grid-cols-2 xl:grid-cols-3', datedClass)}>
        {articles.map((article) => (
          <li key={article.identifier}>
            <Day at={article.created_at} />
            <div>
              <Link discover="none" to={articlePath(article)}>
                {article.title}
              </Link>
              {article.description && <p>{article.description}</p>}
              {!isBuiltInPage(article.identifier) && (
                <small>
                  {article.author && <span>{article.author}</span>}
                  {article.view_count} 次浏览
                </small>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** On the list rather than on each item, which keeps the HTML small. */
const datedClass = cx(
  '[&>li]:flex [&>li]:gap-4 [&>li]:border-t [&>li]:border-line [&>li]:py-4 [&>li>div]:min-w-0 [&_a]:line-clamp-1 [&_a]:font-title [&_a]:font-medium [&_a]:hover:text-accent',
  '[&_p]:mt-1 [&_p]:line-clamp-2 [&_p]:text-sm [&_p]:text-muted [&_small]:mt-1.5 [&_small]:flex [&_small]:gap-3 [&_small]:text-xs [&_small]:text-muted [&_small]:tabular-nums [&_small>span]:max-w-40 [&_small>span]:truncate',
  '[&_time]:w-14 [&_time]:shrink-0 [&_time]:text-center [&_time]:text-xs [&_time]:text-muted [&_time]:tabular-nums [&_time>b]:block [&_time>b]:text-2xl [&_time>b]:leading-tight [&_time>b]:font-semibold [&_time>b]:text-ink',
)

/** The first page is formatted by the server, whose time zone may differ from the browser's. */
function Day({ at }: { at: number | null }) {
  if (at === null) return null
  const [year, month, day] = formatTime(at).slice(0, 10).split('-')
  return (
    <time dateTime={new Date(at).toISOString()} suppressHydrationWarning>
      <b suppressHydrationWarning>{day}</b>
      {`${year}.${month}`}
    </time>
  )
}

function Section({ className, children }: { className: string; children: ReactNode }) {
  return (
    <section aria-label="最新文章" className={className}>
      <div className="flex items-center justify-between gap-4">
        <h2 className="font-display text-xl">最新文章</h2>
        <Link
          discover="none"
          to="/article"
          aria-label="更多文章"
          className="shrink-0 text-sm text-muted hover:text-accent"
        >
          更多
        </Link>
      </div>
      {children}
    </section>
  )
}
