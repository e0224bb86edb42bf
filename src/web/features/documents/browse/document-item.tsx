import { DocumentStatus } from '#shared/document-status.ts'
import { Link } from 'react-router'
import { DocumentFacts } from '#web/features/documents/browse/document-facts.tsx'
import { StatusLabel } from '#web/features/documents/own/status-label.tsx'
import { KindLabel } from '#web/features/documents/kind-label.tsx'
import type { DocumentSummary } from '#web/features/documents/browse/document-summary.ts'
import { Cover } from '#web/features/documents/cover.tsx'
import { documentPath } from '#web/domain/paths.ts'
import { useSite } from '#web/domain/site.ts'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'

interface DocumentItemProps {
  document: DocumentSummary
  /** When the list was loaded. */
  now: number
  /** Shows the status of documents that are not public. */
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
        <h2 className="font-title text-base leading-snug">
          <Link to={path} className="hover:text-accent">
            {title}
          </Link>
          {document.isRecommended && (
            <span className="ml-2 rounded-sm bg-warning-soft px-1.5 py-0.5 align-[0.1em] font-sans text-xs font-medium whitespace-nowrap text-warning">
              推荐
            </span>
          )}
        </h2>
        {withStatus && document.status !== DocumentStatus.Converted && <StatusLabel document={document} />}
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

/** The placeholder of an item. */
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
