import type { ReactNode } from 'react'
import { DocumentItem, DocumentItemSkeleton } from '#web/features/documents/browse/document-item.tsx'
import type { DocumentSummary } from '#web/features/documents/browse/document-summary.ts'
import { PagedList } from '#web/features/lists/paged-list.tsx'

interface DocumentListProps {
  documents: DocumentSummary[]
  total: number
  page: number
  size: number
  now: number
  withStatus?: boolean
  withAuthor?: boolean
  empty: ReactNode
}

export function DocumentList({ documents, now, withStatus, withAuthor, ...list }: DocumentListProps) {
  return (
    <PagedList {...list} rows={documents.length} skeleton={<DocumentItemSkeleton />}>
      {documents.map((document) => (
        <DocumentItem
          key={document.uuid}
          document={document}
          now={now}
          withStatus={withStatus ?? false}
          withAuthor={withAuthor ?? true}
        />
      ))}
    </PagedList>
  )
}
