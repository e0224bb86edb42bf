import type { ReactNode } from 'react'
import { Pager } from '#web/features/lists/pager.tsx'
import { useListPending } from '#web/features/lists/use-list-pending.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'

export interface MemberListProps {
  total: number
  size: number
  /** The number of rows on this page. */
  rows: number
  /** The address of the first page. */
  firstPage?: string
  /** Shown when the list has no rows at all. */
  empty: ReactNode
  children: ReactNode
}

/** A paged list of the member area. */
export function MemberList({ total, size, rows, firstPage = '?page=1', empty, children }: MemberListProps) {
  const isPending = useListPending()
  const noRows =
    total > 0 ? <EmptyState title="没有这一页" action={<ButtonLink to={firstPage}>回到第一页</ButtonLink>} /> : empty
  return (
    <>
      {isPending ? <SkeletonRows count={8} /> : rows > 0 ? children : noRows}
      <Pager total={total} size={size} />
    </>
  )
}
