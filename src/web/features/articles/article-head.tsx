import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Article } from '#shared/contract/articles.ts'
import { RecommendedBadge } from '#web/features/articles/recommended-badge.tsx'
import { scrollToAnchor } from '#web/lib/browser/scroll-to-anchor.ts'
import { VipBadge } from '#web/features/users/vip-badge.tsx'
import { Avatar } from '#web/ui/avatar.tsx'

type HeadArticle = Pick<
  Article,
  'title' | 'author' | 'user' | 'created_at' | 'recommend_at' | 'view_count' | 'favorite_count' | 'comment_count'
>

/** Title, author, date and counts. */
interface Props {
  article: HeadArticle
  /** The article is a page of the site itself, without an author. */
  isPlain: boolean
  actions: ReactNode
}

export function ArticleHead({ article, isPlain, actions }: Props) {
  const { title, view_count, favorite_count, comment_count, created_at } = article
  return (
    <header>
      <h1 className="font-title text-2xl leading-snug font-bold md:text-3xl">
        {title}
        {article.recommend_at !== null && <RecommendedBadge />}
      </h1>
      <div className="mt-4 flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted tabular-nums">
        {!isPlain && <Author article={article} />}
        {!isPlain && created_at !== null && <Day at={created_at} />}
        {!isPlain && <span>{view_count} 次浏览</span>}
        {!isPlain && favorite_count > 0 && <span>{favorite_count} 次收藏</span>}
        {!isPlain && comment_count > 0 && (
          <a href="#comments" onClick={scrollToAnchor} className="hover:text-accent">
            {comment_count} 条评论
          </a>
        )}
        {actions && <div className="flex flex-wrap gap-1 max-sm:-ml-3 sm:ml-auto">{actions}</div>}
      </div>
    </header>
  )
}

function Author({ article: { author, user } }: { article: Pick<HeadArticle, 'author' | 'user'> }) {
  const name = author || user.username
  const inside = (
    <>
      <Avatar src={user.avatar} size={28} />
      <span className="max-w-48 truncate text-ink">{name}</span>
      <VipBadge isVip={user.is_vip} />
    </>
  )
  if (user.id === 0) return <span className="inline-flex min-w-0 items-center gap-2">{inside}</span>
  return (
    <Link
      to={`/user/${user.id}`}
      rel="author"
      className="inline-flex min-w-0 items-center gap-2 hover:[&_span]:text-accent"
    >
      {inside}
    </Link>
  )
}

/** The first page is formatted by the server, whose time zone may differ from the browser's. */
function Day({ at }: { at: number }) {
  const date = new Date(at)
  return (
    <time dateTime={date.toISOString()} suppressHydrationWarning>
      {date.getFullYear()} 年 {date.getMonth() + 1} 月 {date.getDate()} 日
    </time>
  )
}
