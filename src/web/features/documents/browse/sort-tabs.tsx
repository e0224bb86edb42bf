import { ChoiceTabs } from '#web/features/lists/choice-tabs.tsx'
import { toQuery, sorts, type ListQuery, type Sort } from '#web/features/documents/browse/list-query.ts'

/** The orders of a list, as links. */
export function SortTabs({ query, path, total }: { query: ListQuery; path: string; total: number }) {
  const choices = (Object.entries(sorts) as [Sort, { title: string }][]).map(([sort, { title }]) => ({
    title,
    to: path + toQuery(query, { sort }),
    isChosen: query.sort === sort,
  }))
  return (
    <div className="flex items-center border-b border-line">
      <ChoiceTabs label="排序" choices={choices} />
      <p className="ml-auto shrink-0 pl-4 text-sm text-muted tabular-nums max-sm:hidden">共 {total} 份</p>
    </div>
  )
}
