import { Check } from 'lucide-react'
import { Link } from 'react-router'
import { documentPath } from '#web/domain/paths.ts'
import { Cover } from '#web/features/documents/cover.tsx'
import type { RelatedDocument } from '#web/features/documents/page/related-list.tsx'
import { FinishedButton } from '#web/features/documents/reading/finished-button.tsx'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { TeaDrawing } from '#web/ui/drawings/tea.tsx'

interface FinishedProps {
  part: 'drawing' | 'mark' | 'next'
  document: { id: number; uuid: string }
  related: readonly RelatedDocument[]
}

/** What a reader sees below the last page. The end block reserves the height of each part. */
export function Finished({ part, document, related }: FinishedProps) {
  if (part === 'drawing') return <TeaDrawing className="w-32 animate-appear" />
  if (part === 'mark') return <Mark document={document} />
  return <Next documents={related} />
}

function Mark({ document }: Pick<FinishedProps, 'document'>) {
  if (isSignedIn(useSession())) return <FinishedButton document={document} />
  return (
    <p className="flex h-full items-center gap-1.5 text-sm text-muted">
      <Check size={14} className="text-success" aria-hidden />
      已读完
    </p>
  )
}

const maxNext = 3

/** A phone shows one. */
function Next({ documents }: { documents: readonly RelatedDocument[] }) {
  return (
    <section aria-label="接着读" className="border-t border-line pt-5 text-left">
      <h3 className="text-sm font-semibold">接着读</h3>
      <ul className="mt-3 grid gap-4 sm:grid-cols-3 [&>li:nth-child(n+2)]:max-sm:hidden">
        {documents.slice(0, maxNext).map((document) => (
          <li key={document.id} className="min-w-0">
            <Link to={documentPath(document)} className="group flex gap-3">
              <span className="w-12 shrink-0">
                <Cover document={document} />
              </span>
              <span className="min-w-0 text-sm">
                <span className="line-clamp-2 font-title font-medium group-hover:text-accent">{document.title}</span>
                {document.pages > 0 && (
                  <span className="mt-1 block text-xs text-muted tabular-nums">{document.pages} 页</span>
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
