import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { NavigationType, useNavigationType } from 'react-router'
import { DocumentItem, DocumentItemSkeleton } from '#web/features/documents/browse/document-item.tsx'
import type { Listed } from '#web/features/documents/browse/listed.ts'
import { Pager } from '#web/features/documents/browse/pager.tsx'
import { useListPending } from '#web/features/documents/browse/use-list-pending.ts'

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
export function DocumentList({ documents, total, page, size, now, empty, ...shows }: DocumentListProps) {
  const isPending = useListPending()
  const top = useTopOnTurning(page)
  return (
    <div ref={top} className="scroll-mt-20">
      {isPending ? (
        <output aria-label="正在加载" className="block">
          <ul className={listClass}>
            {Array.from({ length: Math.max(documents.length, 4) }, (_, row) => (
              <DocumentItemSkeleton key={row} />
            ))}
          </ul>
        </output>
      ) : documents.length === 0 ? (
        empty
      ) : (
        <ul className={listClass}>
          {documents.map((document) => (
            <DocumentItem key={document.uuid} document={document} now={now} {...shows} />
          ))}
        </ul>
      )}
      <Pager total={total} size={size} />
    </div>
  )
}

const listClass = 'divide-y divide-line'

/** Turning the page leads to its beginning; going back, to where one was. */
function useTopOnTurning(page: number) {
  const top = useRef<HTMLDivElement>(null)
  const shown = useRef(page)
  const kind = useNavigationType()
  const turn = useEffectEvent((next: number) => {
    if (shown.current !== next && kind !== NavigationType.Pop) top.current?.scrollIntoView({ block: 'start' })
    shown.current = next
  })
  useEffect(() => turn(page), [page])
  return top
}
