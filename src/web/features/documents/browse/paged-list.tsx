import { Fragment, useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { NavigationType, useNavigationType } from 'react-router'
import { Pager } from '#web/features/documents/browse/pager.tsx'
import { useListPending } from '#web/features/documents/browse/use-list-pending.ts'

interface PagedListProps {
  total: number
  page: number
  size: number
  /** How many rows this page has. */
  rows: number
  /** The shape of a row that is on its way. */
  skeleton: ReactNode
  /** What stands there when there are none. */
  empty: ReactNode
  children: ReactNode
}

/** A page of a list and the way to the others. */
export function PagedList({ total, page, size, rows, skeleton, empty, children }: PagedListProps) {
  const isPending = useListPending()
  const top = useTopOnTurning(page)
  return (
    <div ref={top} className="scroll-mt-20">
      {isPending ? (
        <output aria-label="正在加载" className="block">
          <ul className={listClass}>
            {Array.from({ length: Math.max(rows, 4) }, (_, row) => (
              <Fragment key={row}>{skeleton}</Fragment>
            ))}
          </ul>
        </output>
      ) : rows === 0 ? (
        empty
      ) : (
        <ul className={listClass}>{children}</ul>
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
