import type { Facet } from '#shared/contract/search.ts'
import { durationGroup, filterGroups, sortGroup } from '#web/features/search/search-choices.ts'
import { Choices } from '#web/features/search/search-filters.tsx'
import { countFilters, withoutFilters, type SearchQuery } from '#web/features/search/search-query.ts'
import { useSite } from '#web/domain/site.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Drawer } from '#web/ui/overlay/dialog.tsx'

interface FilterSheetProps {
  query: SearchQuery
  facets: readonly Facet[]
  /** The number of hits, as a text. */
  countLabel: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** All filters and orders, in a sheet of small screens. It stays open while filters are chosen. */
export function FilterSheet({ query, facets, countLabel, open, onOpenChange }: FilterSheetProps) {
  const site = useSite()
  const groups = [sortGroup(query), durationGroup(query), ...filterGroups(query, site, facets)]
  return (
    <Drawer
      open={open}
      onOpenChange={onOpenChange}
      title="筛选和排序"
      className="top-auto right-0 max-h-[85dvh] animate-rise! rounded-t-lg"
    >
      <div className="space-y-4 px-2 pb-4">
        {groups.map((group) => (
          <Choices key={group.label} group={group} wraps />
        ))}
      </div>
      <div className="sticky bottom-0 flex gap-3 border-t border-line bg-surface p-4">
        {countFilters(query) > 0 && <ButtonLink to={withoutFilters(query)}>清除筛选</ButtonLink>}
        <Button variant="primary" className="flex-1" onClick={() => onOpenChange(false)}>
          查看 {countLabel}
        </Button>
      </div>
    </Drawer>
  )
}
