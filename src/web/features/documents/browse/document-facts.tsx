import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatRelative, formatSize } from '#shared/format.ts'
import type { Listed } from '#web/features/documents/browse/listed.ts'
import { priceText } from '#web/features/documents/price-text.ts'
import { Stars } from '#web/features/documents/stars.tsx'
import { useSite } from '#web/lib/site.ts'

interface DocumentFactsProps {
  document: Listed
  /** When the list was read: what is written of the time is the same in the first HTML and after. */
  now: number
  withAuthor?: boolean
  /** Stands before them. */
  children?: ReactNode
}

/** What a document costs, how long, large and old it is, how it was rated and who brought it, in a line. */
export function DocumentFacts({ document, now, withAuthor = true, children }: DocumentFactsProps) {
  const { credit_name } = useSite().settings.system
  const { pages, size, price, score, username, user_id, created_at } = document
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted tabular-nums">
      {children}
      <span className={price > 0 ? 'font-medium text-warning' : ''}>{priceText(price, credit_name)}</span>
      {pages > 0 && <span>{pages} 页</span>}
      <span>{formatSize(size)}</span>
      {created_at !== null && (
        <time dateTime={new Date(created_at).toISOString()}>{formatRelative(created_at, now)}</time>
      )}
      <Stars score={score} />
      {withAuthor && username !== '' && (
        <Link to={`/user/${user_id}`} className="max-w-40 truncate hover:text-accent">
          {username}
        </Link>
      )}
    </p>
  )
}
