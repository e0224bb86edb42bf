import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatRelative, formatSize } from '#shared/format.ts'
import { useConcernsVip } from '#web/domain/orders.ts'
import type { DocumentSummary } from '#web/features/documents/browse/document-summary.ts'
import { PriceWord } from '#web/features/documents/download/price-word.tsx'
import { VipBadge } from '#web/features/users/vip-badge.tsx'
import { Stars } from '#web/features/documents/stars.tsx'

interface DocumentFactsProps {
  document: DocumentSummary
  /** When the list was loaded: relative times must be the same in the server's HTML and in the browser. */
  now: number
  withAuthor?: boolean
  /** Shown before the facts. */
  children?: ReactNode
}

/** Price, pages, rating and author of a document in a line, and quieter its size and age. */
export function DocumentFacts({ document, now, withAuthor = true, children }: DocumentFactsProps) {
  const { pages, size, price, isVip, score, username, user_id, userIsVip, created_at, copies } = document
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted tabular-nums">
      {children}
      <span className={price > 0 ? 'font-medium text-warning' : 'text-ink'}>
        <PriceWord document={document} />
      </span>
      {useConcernsVip() && isVip && <span className="text-warning">VIP 免费</span>}
      {pages > 0 && <span className="text-ink">{pages} 页</span>}
      {score > 0 && <Stars score={score} />}
      {copies > 0 && <span>另有 {copies} 份相同</span>}
      {withAuthor && username !== '' && (
        <Link to={`/user/${user_id}`} className="inline-flex max-w-40 items-center gap-1 hover:text-accent">
          <span className="truncate">{username}</span>
          <VipBadge isVip={userIsVip} />
        </Link>
      )}
      <small className="flex gap-3 text-xs">
        {formatSize(size)}
        {created_at !== null && (
          <time dateTime={new Date(created_at).toISOString()}>{formatRelative(created_at, now)}</time>
        )}
      </small>
    </p>
  )
}
