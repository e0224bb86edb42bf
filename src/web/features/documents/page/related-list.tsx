import { Link } from 'react-router'
import type { CoverTile } from '#web/features/documents/browse/document-summary.ts'
import { Cover } from '#web/features/documents/cover.tsx'
import { documentPath } from '#web/domain/paths.ts'
import { PriceWord } from '#web/features/documents/download/price-word.tsx'

export type RelatedDocument = CoverTile & { id: number; price: number; user_id: number }

export function RelatedList({ documents }: { documents: readonly RelatedDocument[] }) {
  if (documents.length === 0) return null
  return (
    <section aria-label="相关文档" className="rounded-lg border border-line bg-surface p-4">
      <h2 className="mb-3 text-base">相关文档</h2>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-1">
        {documents.map((document) => (
          <li key={document.id}>
            <Link to={documentPath(document)} className="flex gap-3 hover:text-accent">
              <span className="w-14 shrink-0">
                <Cover document={document} />
              </span>
              <span className="min-w-0 text-sm">
                <span className="line-clamp-2 font-title font-medium">{document.title}</span>
                <span className="mt-1 block text-muted tabular-nums">
                  {document.pages > 0 && `${document.pages} 页 · `}
                  <PriceWord document={document} />
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
