import { Link } from 'react-router'
import { isBuiltInPage } from '#shared/contract/articles.ts'
import { formatRelative } from '#shared/format.ts'
import type { ArticleHitItem } from '#web/features/search/hits.ts'
import { articlePath } from '#web/domain/paths.ts'
import { VipBadge } from '#web/features/users/vip-badge.tsx'
import { MarkedText } from '#web/ui/marked-text.tsx'

interface ArticleHitProps {
  article: ArticleHitItem
  /** When the list was loaded. */
  now: number
}

/** An article with the searched words highlighted. */
export function ArticleHitRow({ article, now }: ArticleHitProps) {
  const { title, titleRanges, excerpt } = article
  return (
    <li className="py-5 first:pt-0">
      <h2 className="font-title text-base leading-snug">
        <Link to={articlePath(article)} className="hover:text-accent">
          <MarkedText text={title} ranges={titleRanges} />
        </Link>
      </h2>
      {excerpt.text !== '' && (
        <p className="mt-1.5 line-clamp-3 text-sm text-muted [&_mark]:text-ink">
          <MarkedText text={excerpt.text} ranges={excerpt.ranges} />
        </p>
      )}
      {!isBuiltInPage(article.identifier) && <Facts article={article} now={now} />}
    </li>
  )
}

function Facts({ article: { author, userId, isVip, category, views, comments, createdAt }, now }: ArticleHitProps) {
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted tabular-nums">
      {category !== '' && <span>{category}</span>}
      {createdAt !== null && <time dateTime={new Date(createdAt).toISOString()}>{formatRelative(createdAt, now)}</time>}
      {views > 0 && <span>浏览 {views.toLocaleString('zh-CN')}</span>}
      {comments > 0 && <span>评论 {comments.toLocaleString('zh-CN')}</span>}
      {userId > 0 ? (
        <Link to={`/user/${userId}`} className="inline-flex max-w-40 items-center gap-1 hover:text-accent">
          <span className="truncate">{author}</span>
          <VipBadge isVip={isVip} />
        </Link>
      ) : (
        <span className="max-w-40 truncate">{author}</span>
      )}
    </p>
  )
}
