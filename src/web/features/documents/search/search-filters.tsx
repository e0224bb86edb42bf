import { useId } from 'react'
import { Link } from 'react-router'
import { ChoiceLink } from '#web/features/documents/browse/choice-link.tsx'
import { filterGroups, type ChoiceGroup } from '#web/features/documents/search/search-choices.ts'
import { countFilters, withoutFilters, type SearchQuery } from '#web/features/documents/search/search-query.ts'
import { useSite } from '#web/lib/site.ts'
import { cx } from '#web/ui/class-names.ts'

/** What the results can be narrowed to, beside them. */
export function SearchFilters({ query }: { query: SearchQuery }) {
  const site = useSite()
  return (
    <section aria-label="筛选" className="space-y-5">
      {countFilters(query) > 0 && (
        <Link to={withoutFilters(query)} className="block px-2.5 text-sm text-accent hover:underline">
          清除筛选
        </Link>
      )}
      {filterGroups(query, site).map((group) => (
        <Choices key={group.label} group={group} />
      ))}
    </section>
  )
}

/** In a column, or side by side where the place is wide and low. */
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
            <ChoiceLink choice={choice} stays={wraps} />
          </li>
        ))}
      </ul>
    </div>
  )
}
