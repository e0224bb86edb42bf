import { Link } from 'react-router'
import { Avatar } from '#web/ui/avatar.tsx'
import { cx } from '#web/ui/class-names.ts'
import { displayFont } from '#web/ui/display-font.ts'

export interface HomeAuthors {
  /** 0 where the numbers are those of all time. */
  days: number
  authors: { id: number; username: string; avatar: string; count: number }[]
}

const title = '活跃作者'
/** One person alone is no list. */
const minAuthors = 2

/** The members with most documents. */
export function ActiveAuthors({ days, authors }: HomeAuthors) {
  if (authors.length < minAuthors) return null
  return (
    <section aria-label={title} className="mt-12">
      <div className="flex items-baseline gap-3">
        <h2 className={cx('text-xl', displayFont(title))}>{title}</h2>
        <p className="text-sm text-muted">{days > 0 ? `近 ${days} 天发布文档最多` : '发布文档最多'}</p>
      </div>
      <ul className={cx('mt-4 grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-6', authorClass)}>
        {authors.map(({ id, username, avatar, count }) => (
          <li key={id}>
            <Link discover="none" to={`/user/${id}`}>
              <Avatar src={avatar} size={40} isLazy />
              <span>
                <b>{username}</b>
                <small>{count} 份</small>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** On the list rather than on each item, which keeps the HTML small. */
const authorClass = cx(
  '[&_a]:flex [&_a]:items-center [&_a]:gap-3 [&_a]:rounded-lg [&_a]:border [&_a]:border-line [&_a]:bg-surface [&_a]:px-3 [&_a]:py-2.5 [&_a]:hover:border-accent [&_a]:hover:text-accent',
  '[&_span]:min-w-0 [&_b]:block [&_b]:truncate [&_b]:text-sm [&_b]:font-medium [&_small]:block [&_small]:text-xs [&_small]:text-muted [&_small]:tabular-nums',
)
