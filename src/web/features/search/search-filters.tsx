import type { Facet } from '#shared/contract/search.ts'
import { useId } from 'react'
import { Link } from 'react-router'
import { ChoiceLink } from '#web/features/lists/choice-link.tsx'
import { filterGroups, type ChoiceGroup } from '#web/features/search/search-choices.ts'
import { countFilters, withoutFilters, type SearchQuery } from '#web/features/search/search-query.ts'
import { useSite } from '#web/domain/site.ts'
import { cx } from '#web/ui/class-names.ts'

interface SearchFiltersProps {
  query: SearchQuery
  facets: readonly Facet[]
  /** Only the best hits are counted in the facets. */
  areFacetsRough: boolean
}

/** The filters beside the hits. */
export function SearchFilters({ query, facets, areFacetsRough }: SearchFiltersProps) {
  const site = useSite()
  return (
    <section aria-label="筛选" className="space-y-5">
      {countFilters(query) > 0 && (
        <Link to={withoutFilters(query)} className="block px-2.5 text-sm text-accent hover:underline">
          清除筛选
        </Link>
      )}
      {filterGroups(query, site, facets).map((group) => (
        <Choices key={group.label} group={group} />
      ))}
      {areFacetsRough && <p className="px-2.5 text-xs text-muted">结果很多，数字是约数</p>}
    </section>
  )
}

/** A column of choices, or in the sheet a row that wraps. */
export function Choices({ group: { label, choices }, wraps = false }: { group: ChoiceGroup; wraps?: boolean }) {
  const id = useId()
  return (
    <div>
      <h2 id={id} className="mb-1 px-2.5 text-sm font-normal text-muted">
        {label}
      </h2>
      <ul aria-labelledby={id} className={cx('text-sm', wraps ? 'flex flex-wrap gap-1' : 'space-y-px')}>
        {choices.map((choice) => (
          <li key={choice.title} className="[&>a]:truncate">
            <ChoiceLink choice={choice} keepsScroll={wraps} />
          </li>
        ))}
      </ul>
    </div>
  )
}
