import { Link } from 'react-router'
import { DocumentFacts } from '#web/features/documents/browse/document-facts.tsx'
import { StatusLabel } from '#web/features/documents/browse/status-label.tsx'
import { KindLabel } from '#web/features/documents/browse/kind-label.tsx'
import type { Listed } from '#web/features/documents/browse/listed.ts'
import { Cover } from '#web/features/documents/cover.tsx'
import { documentPath } from '#web/lib/paths.ts'
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
  const { display } = useSite().settings
  const { title, description } = document
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
        <DocumentFacts document={document} now={now} withAuthor={withAuthor}>
          <KindLabel ext={document.ext} />
        </DocumentFacts>
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
