import { Link, useSearchParams } from 'react-router'
import { cx } from '#web/ui/class-names.ts'

/** Pages of a list. The page is part of the address, so that back and sharing work. */
export function Pagination({ total, size, name = 'page' }: { total: number; size: number; name?: string }) {
  const [query] = useSearchParams()
  const pages = Math.ceil(total / size)
  const page = pageOf(query, name)
  if (pages < 2) return null
  const to = (target: number) =>
    `?${new URLSearchParams([...[...query].filter(([key]) => key !== name), [name, String(target)]])}`
  return (
    <nav aria-label="分页" className="flex flex-wrap items-center justify-center gap-1 text-sm tabular-nums">
      {stops(page, pages).map((stop) =>
        stop < 0 ? (
          <span key={stop} aria-hidden className="px-1 text-muted">
            …
          </span>
        ) : (
          <Link
            key={stop}
            to={to(stop)}
            preventScrollReset
            aria-label={`第 ${stop} 页`}
            aria-current={stop === page ? 'page' : undefined}
            className={cx(
              'flex h-9 min-w-9 items-center justify-center rounded-md px-2',
              stop === page ? 'bg-accent text-on-accent' : 'hover:bg-sunken',
            )}
          >
            {stop}
          </Link>
        ),
      )}
    </nav>
  )
}

export function pageOf(query: URLSearchParams, name = 'page'): number {
  const page = Number(query.get(name))
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

/** First, last and the neighbours of the current page; a negative number is the gap before that page. */
export function stops(page: number, pages: number): number[] {
  const shown = [1, page - 2, page - 1, page, page + 1, page + 2, pages].filter((stop) => stop >= 1 && stop <= pages)
  const sorted = [...new Set(shown)].toSorted((a, b) => a - b)
  return sorted.flatMap((stop, place) => {
    const gap = stop - (sorted[place - 1] ?? stop)
    if (gap === 2) return [stop - 1, stop]
    return gap > 2 ? [-stop, stop] : [stop]
  })
}
