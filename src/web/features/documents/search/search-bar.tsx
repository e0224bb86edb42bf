import { SlidersHorizontal } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { ChoiceTabs } from '#web/features/documents/browse/choice-tabs.tsx'
import { durationGroup, sortGroup } from '#web/features/documents/search/search-choices.ts'
import { countFilters, type SearchQuery } from '#web/features/documents/search/search-query.ts'
import { Button } from '#web/ui/button.tsx'

const FilterSheet = lazy(async () => ({
  default: (await import('#web/features/documents/search/filter-sheet.tsx')).FilterSheet,
}))

/** Order and time range above the results; on a small screen the way to all that narrows them. */
export function SearchBar({ query, found }: { query: SearchQuery; found: string }) {
  return (
    <>
      <div className="flex items-center justify-between gap-4 border-b border-line max-md:hidden">
        <ChoiceTabs {...sortGroup(query)} />
        <DurationSelect query={query} />
      </div>
      <div className="md:hidden">
        <SheetButton query={query} found={found} />
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

function SheetButton({ query, found }: { query: SearchQuery; found: string }) {
  const [open, setOpen] = useState(false)
  // Once fetched it stays, so that it can be seen closing.
  const [isWanted, setIsWanted] = useState(false)
  const filters = countFilters(query)
  const show = () => {
    setIsWanted(true)
    setOpen(true)
  }
  return (
    <>
      <Button size="sm" aria-expanded={open} onClick={show}>
        <SlidersHorizontal size={14} aria-hidden />
        筛选{filters > 0 && `（${filters}）`}
      </Button>
      {isWanted && (
        <Suspense>
          <FilterSheet query={query} found={found} open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  )
}
