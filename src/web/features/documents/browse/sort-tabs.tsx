import { Link } from 'react-router'
import { searchWith, sorts, type ListQuery, type Sort } from '#web/features/documents/browse/list-query.ts'
import { cx } from '#web/ui/class-names.ts'

/** The orders of a list, each an address of its own. */
export function SortTabs({ query, address, total }: { query: ListQuery; address: string; total: number }) {
  return (
    <div className="flex items-center border-b border-line">
      <nav aria-label="排序" className="flex min-w-0 overflow-x-auto [scrollbar-width:none]">
        {(Object.entries(sorts) as [Sort, { title: string }][]).map(([sort, { title }]) => (
          <Link
            key={sort}
            to={address + searchWith(query, { sort })}
            preventScrollReset
            aria-current={query.sort === sort ? 'true' : undefined}
            className={cx(
              'border-b-2 px-3 py-2.5 text-sm whitespace-nowrap focus-visible:-outline-offset-2 md:px-4',
              query.sort === sort
                ? 'border-accent font-medium text-ink'
                : 'border-transparent text-muted hover:text-ink',
            )}
          >
            {title}
          </Link>
        ))}
      </nav>
      <p className="ml-auto shrink-0 pl-4 text-sm text-muted tabular-nums max-sm:hidden">共 {total} 份</p>
    </div>
  )
}
