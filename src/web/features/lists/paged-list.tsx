import { Fragment, useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { NavigationType, useNavigationType } from 'react-router'
import { Pager } from '#web/features/lists/pager.tsx'
import { useListPending } from '#web/features/lists/use-list-pending.ts'

interface PagedListProps {
  total: number
  page: number
  size: number
  /** The number of rows on this page. */
  rows: number
  /** A placeholder row. */
  skeleton: ReactNode
  /** Shown when there are no rows. */
  empty: ReactNode
  children: ReactNode
}

/** A page of a list, and links to the others. */
export function PagedList({ total, page, size, rows, skeleton, empty, children }: PagedListProps) {
  const isPending = useListPending()
  const top = useScrollToTop(page)
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

/** Another page is shown from its top; going back restores the scroll position. */
function useScrollToTop(page: number) {
  const top = useRef<HTMLDivElement>(null)
  const lastPage = useRef(page)
  const navigationType = useNavigationType()
  const scroll = useEffectEvent((next: number) => {
    const isNew = lastPage.current !== next && navigationType !== NavigationType.Pop
    if (isNew) top.current?.scrollIntoView({ block: 'start' })
    lastPage.current = next
  })
  useEffect(() => scroll(page), [page])
  return top
}
