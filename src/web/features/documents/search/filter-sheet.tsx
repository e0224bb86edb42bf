import { durationGroup, filterGroups, sortGroup } from '#web/features/documents/search/search-choices.ts'
import { Choices } from '#web/features/documents/search/search-filters.tsx'
import { countFilters, withoutFilters, type SearchQuery } from '#web/features/documents/search/search-query.ts'
import { useSite } from '#web/lib/site.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Drawer } from '#web/ui/dialog.tsx'

interface FilterSheetProps {
  query: SearchQuery
  /** How many are found, in words. */
  found: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** All that narrows and sorts, from the lower edge of a small screen. It stays while one chooses. */
export function FilterSheet({ query, found, open, onOpenChange }: FilterSheetProps) {
  const site = useSite()
  const groups = [sortGroup(query), durationGroup(query), ...filterGroups(query, site)]
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
        <Button look="primary" className="flex-1" onClick={() => onOpenChange(false)}>
          查看 {found}
        </Button>
      </div>
    </Drawer>
  )
}
