import { Bookmark, Eye, MessageSquare } from 'lucide-react'
import { Link } from 'react-router'
import { isBuiltInPage } from '#shared/contract/articles.ts'
import { formatRelative } from '#shared/format.ts'
import { articlePath } from '#web/domain/paths.ts'
import type { ArticleSummary } from '#web/features/articles/browse/article-summary.ts'
import { RecommendedBadge } from '#web/features/articles/recommended-badge.tsx'
import { VipBadge } from '#web/features/users/vip-badge.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'

interface ArticleItemProps {
  article: ArticleSummary
  /** When the list was loaded: relative times must be the same in the server's HTML and in the browser. */
  now: number
}

export function ArticleItem({ article, now }: ArticleItemProps) {
  const { title, description, cover } = article
  const path = articlePath(article)
  return (
    <li className={rowClass}>
      <div className="min-w-0 flex-1">
        <h2 className="font-title text-lg leading-snug text-pretty">
          <Link to={path} className="hover:text-accent">
            {title}
          </Link>
          {article.isRecommended && <RecommendedBadge />}
        </h2>
        {description !== '' && <p className="mt-1.5 line-clamp-2 text-sm text-muted">{description}</p>}
        {!isBuiltInPage(article.identifier) && <Facts article={article} now={now} />}
      </div>
      {cover !== '' && (
        <Link to={path} tabIndex={-1} aria-hidden className={coverClass}>
          <img
            src={cover}
            alt=""
            width={144}
            height={96}
            loading="lazy"
            decoding="async"
            className="aspect-3/2 w-full rounded-md bg-sunken object-cover"
          />
        </Link>
      )}
    </li>
  )
}

function Facts({ article, now }: ArticleItemProps) {
  const { author, created_at, view_count, favorite_count, comment_count } = article
  const counts = [
    { name: '浏览', count: view_count, Icon: Eye },
    { name: '收藏', count: favorite_count, Icon: Bookmark },
    { name: '评论', count: comment_count, Icon: MessageSquare },
  ]
  return (
    <div className="mt-2.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-muted tabular-nums">
      <Author author={author} />
      {created_at !== null && (
        <time dateTime={new Date(created_at).toISOString()}>{formatRelative(created_at, now)}</time>
      )}
      <ul className="ml-auto flex gap-3.5 max-sm:-ml-0.5">
        {counts.map(({ name, count, Icon }) => (
          <li key={name} className="inline-flex items-center gap-1">
            <Icon size={15} aria-hidden />
            <span className="sr-only">{name}</span>
            {count}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Author({ author: { id, username, avatar, isVip } }: Pick<ArticleSummary, 'author'>) {
  const inside = (
    <>
      <Avatar src={avatar} size={22} />
      <span className="max-w-40 truncate">{username}</span>
      <VipBadge isVip={isVip} />
    </>
  )
  // A deleted account has no page.
  if (id === 0) return <span className="inline-flex min-w-0 items-center gap-2">{inside}</span>
  return (
    <Link to={`/user/${id}`} className="inline-flex min-w-0 items-center gap-2 hover:text-accent">
      {inside}
    </Link>
  )
}

/** The placeholder of an item. */
export function ArticleItemSkeleton() {
  return (
    <li className={rowClass}>
      <span className="min-w-0 flex-1">
        <Skeleton className="h-6 w-3/5" />
        <Skeleton className="mt-2.5 h-4" />
        <Skeleton className="mt-1.5 h-4 w-4/5" />
        <Skeleton className="mt-3.5 h-5 w-1/2" />
      </span>
      <span className={coverClass}>
        <Skeleton className="aspect-3/2 w-full" />
      </span>
    </li>
  )
}

const rowClass = 'flex gap-4 py-5 first:pt-0 md:gap-6'
const coverClass = 'w-24 shrink-0 sm:w-36'
