import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { documentPath } from '#web/domain/paths.ts'
import { ExportButton } from '#web/features/documents/reading/export-button.tsx'

interface Mark {
  id: number
  document_id: number
  document_uuid: string
  title: string
  is_gone: boolean
}

/** Marks of one document after the other, below its title. */
export function MarkedDocuments<M extends Mark>({
  marks,
  renderMark,
}: {
  marks: readonly M[]
  renderMark: (mark: M) => ReactNode
}) {
  const byDocument = [...Map.groupBy(marks, ({ document_id }) => document_id).values()]
  return (
    <div className="space-y-8">
      {byDocument.map((ofDocument) => {
        const [first] = ofDocument
        if (!first) return null
        const { document_id, document_uuid: uuid, title, is_gone } = first
        return (
          <section key={document_id} aria-label={title}>
            <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 border-b border-line pb-2">
              <h3 className="min-w-0 flex-1 basis-40 font-title font-semibold">
                {is_gone ? (
                  <span className="text-muted">{title}（已不可见）</span>
                ) : (
                  <Link to={documentPath({ uuid })} className="hover:text-accent">
                    {title}
                  </Link>
                )}
              </h3>
              <ExportButton documentId={document_id} label="导出这份" />
            </div>
            <ul className="divide-y divide-line">{ofDocument.map(renderMark)}</ul>
          </section>
        )
      })}
    </div>
  )
}
