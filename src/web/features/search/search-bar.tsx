import type { Facet } from '#shared/contract/search.ts'
import { SlidersHorizontal } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { ChoiceTabs } from '#web/features/lists/choice-tabs.tsx'
import { durationGroup, sortGroup } from '#web/features/search/search-choices.ts'
import { countFilters, type SearchQuery } from '#web/features/search/search-query.ts'
import { Button } from '#web/ui/button.tsx'
import { useLazyMount } from '#web/ui/overlay/lazy-mount.ts'
import { lazyOverlay } from '#web/ui/lazy-part.tsx'

const FilterSheet = lazyOverlay(async () => (await import('#web/features/search/filter-sheet.tsx')).FilterSheet)

interface SearchBarProps {
  query: SearchQuery
  facets: readonly Facet[]
  countLabel: string
}

/** Order and time range above the hits; on a small screen the button of the filter sheet. */
export function SearchBar({ query, facets, countLabel }: SearchBarProps) {
  return (
    <>
      <div className="flex items-center justify-between gap-4 border-b border-line max-md:hidden">
        <ChoiceTabs {...sortGroup(query)} />
        <DurationSelect query={query} />
      </div>
      <div className="md:hidden">
        <SheetButton query={query} facets={facets} countLabel={countLabel} />
      </div>
    </>
  )
}

function DurationSelect({ query }: { query: SearchQuery }) {
  const navigate = useNavigate()
  const { label, choices } = durationGroup(query)
  const chosen = choices.find(({ isChosen }) => isChosen)
  return (
    <label className="flex shrink-0 items-center gap-2 text-sm text-muted">
      {label}
      <select
        value={chosen?.to}
        onChange={(event) => void navigate(event.target.value)}
        className="h-8 rounded-md border border-line bg-surface px-2 text-ink hover:border-edge"
      >
        {choices.map(({ title, to }) => (
          <option key={title} value={to}>
            {title}
          </option>
        ))}
      </select>
    </label>
  )
}

function SheetButton({ query, facets, countLabel }: SearchBarProps) {
  const [open, setOpen] = useState(false)
  const isMounted = useLazyMount(open)
  const filters = countFilters(query)
  return (
    <>
      <Button size="sm" aria-expanded={open} onClick={() => setOpen(true)}>
        <SlidersHorizontal size={14} aria-hidden />
        筛选{filters > 0 && `（${filters}）`}
      </Button>
      {isMounted && (
        <Suspense>
          <FilterSheet query={query} facets={facets} countLabel={countLabel} open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  )
}
