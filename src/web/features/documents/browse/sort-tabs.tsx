import { ChoiceTabs } from '#web/features/documents/browse/choice-tabs.tsx'
import { searchWith, sorts, type ListQuery, type Sort } from '#web/features/documents/browse/list-query.ts'

/** The orders of a list, each an address of its own. */
export function SortTabs({ query, address, total }: { query: ListQuery; address: string; total: number }) {
  const choices = (Object.entries(sorts) as [Sort, { title: string }][]).map(([sort, { title }]) => ({
    title,
    to: address + searchWith(query, { sort }),
    isChosen: query.sort === sort,
  }))
  return (
    <div className="flex items-center border-b border-line">
      <ChoiceTabs label="排序" choices={choices} />
      <p className="ml-auto shrink-0 pl-4 text-sm text-muted tabular-nums max-sm:hidden">共 {total} 份</p>
    </div>
  )
}
