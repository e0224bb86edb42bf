import type { ReactNode } from 'react'
import { DocumentItem, DocumentItemSkeleton } from '#web/features/documents/browse/document-item.tsx'
import type { Listed } from '#web/features/documents/browse/listed.ts'
import { PagedList } from '#web/features/documents/browse/paged-list.tsx'

interface DocumentListProps {
  documents: Listed[]
  total: number
  page: number
  size: number
  now: number
  withStatus?: boolean
  withAuthor?: boolean
  /** What stands there when there are none. */
  empty: ReactNode
}

/** A page of documents and the way to the others. */
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
