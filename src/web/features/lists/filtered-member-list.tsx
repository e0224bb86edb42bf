import type { ReactNode } from 'react'
import { ListFilterForm } from '#web/features/lists/list-filter-form.tsx'
import { hasFilters, type ListFilters } from '#web/features/lists/list-filters.ts'
import { MemberList, type MemberListProps } from '#web/features/lists/member-list.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { SearchDrawing } from '#web/ui/drawings/search.tsx'

interface FilteredMemberListProps extends Omit<MemberListProps, 'firstPage' | 'empty'> {
  title: string
  /** The path of the whole list. */
  path: string
  /** What is searched; the title or keywords by default. */
  words?: string
  filters: ListFilters
  statuses: Record<string, { title: string }>
  /** The link to create a first entry, and another one; undefined for members who may not. */
  create: { to: string; title: string } | undefined
  empty: { title: string; hint: string; drawing: ReactNode }
}

/** The member's own documents, articles or orders, with filters. */
export function FilteredMemberList(props: FilteredMemberListProps) {
  const { title, path, words, filters, statuses, create, empty, total, children, ...list } = props
  const isFiltered = hasFilters(filters)
  return (
    <Card
      title={title}
      aside={
        create && (
          <ButtonLink to={create.to} variant="primary" size="sm">
            {create.title}
          </ButtonLink>
        )
      }
    >
      {(total > 0 || isFiltered) && <ListFilterForm filters={filters} path={path} words={words} statuses={statuses} />}
      <MemberList
        {...list}
        total={total}
        empty={
          isFiltered ? (
            <EmptyState
              title="没有找到"
              drawing={<SearchDrawing />}
              action={<ButtonLink to={path}>显示全部</ButtonLink>}
            >
              换个词、另一种状态或别的时间试试。
            </EmptyState>
          ) : (
            <EmptyState
              title={empty.title}
              drawing={empty.drawing}
              action={create && <ButtonLink to={create.to}>{create.title}</ButtonLink>}
            >
              {empty.hint}
            </EmptyState>
          )
        }
      >
        {children}
      </MemberList>
    </Card>
  )
}
