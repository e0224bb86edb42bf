import { Link } from 'react-router'
import { formatRelative, formatSize } from '#shared/format.ts'
import { StatusLabel } from '#web/features/documents/browse/status-label.tsx'
import { KindLabel } from '#web/features/documents/browse/kind-label.tsx'
import type { Listed } from '#web/features/documents/browse/listed.ts'
import { Cover } from '#web/features/documents/cover.tsx'
import { documentPath } from '#web/lib/paths.ts'
import { priceText } from '#web/features/documents/price-text.ts'
import { Stars } from '#web/features/documents/stars.tsx'
import { useSite } from '#web/lib/site.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface DocumentItemProps {
  document: Listed
  /** When the list was read: what is written of the time is the same in the first HTML and after. */
  now: number
  /** Says so where a document is not public yet. */
  withStatus?: boolean
  withAuthor?: boolean
}

export function DocumentItem({ document, now, withStatus = false, withAuthor = true }: DocumentItemProps) {
  const { display, system } = useSite().settings
  const { title, ext, pages, size, price, score, description, username, user_id, created_at } = document
  const path = documentPath(document)
  return (
    <li className={rowClass}>
      <Link to={path} tabIndex={-1} aria-hidden className={coverClass}>
        <Cover document={document} />
      </Link>
      <div className="min-w-0 flex-1">
        <h2 className="text-base leading-snug">
          <Link to={path} className="hover:text-accent">
            {title}
          </Link>
          {document.isRecommended && (
            <span className="ml-2 rounded-sm bg-warning-soft px-1.5 py-0.5 align-[0.1em] text-xs font-medium whitespace-nowrap text-warning">
              推荐
            </span>
          )}
        </h2>
        {withStatus && document.status !== 2 && <StatusLabel document={document} />}
        {display.show_document_descriptions && description !== '' && (
          <p className="mt-1.5 line-clamp-2 text-sm text-muted">{description}</p>
        )}
        <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted tabular-nums">
          <KindLabel ext={ext} />
          <span className={price > 0 ? 'font-medium text-warning' : ''}>{priceText(price, system.credit_name)}</span>
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
      </div>
    </li>
  )
}

/** The shape of an item that is on its way. */
export function DocumentItemSkeleton() {
  return (
    <li className={rowClass}>
      <span className={coverClass}>
        <Skeleton className="aspect-210/297 w-full" />
      </span>
      <span className="min-w-0 flex-1">
        <Skeleton className="h-5.5 w-3/5" />
        <Skeleton className="mt-2.5 h-4" />
        <Skeleton className="mt-1.5 h-4 w-4/5" />
        <Skeleton className="mt-3 h-4 w-2/3" />
      </span>
    </li>
  )
}

const rowClass = 'flex gap-4 py-5 first:pt-0 md:gap-5'
const coverClass = 'w-18 shrink-0 md:w-22'
