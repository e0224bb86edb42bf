import { Link, useSearchParams } from 'react-router'
import { cx } from '#web/ui/class-names.ts'

/** The pages of a list. The page is part of the address, so that back and sharing work. */
export function Pagination({ total, size, name = 'page' }: { total: number; size: number; name?: string }) {
  const [query] = useSearchParams()
  const pages = Math.ceil(total / size)
  const page = parsePage(query, name)
  if (pages < 2) return null
  const to = (target: number) =>
    `?${new URLSearchParams([...[...query].filter(([key]) => key !== name), [name, String(target)]])}`
  return (
    <nav aria-label="分页" className="flex flex-wrap items-center justify-center gap-1 text-sm tabular-nums">
      {pageNumbers(page, pages).map((number) =>
        number < 0 ? (
          <span key={number} aria-hidden className="px-1 text-muted">
            …
          </span>
        ) : (
          <Link
            key={number}
            to={to(number)}
            preventScrollReset
            aria-label={`第 ${number} 页`}
            aria-current={number === page ? 'page' : undefined}
            className={cx(
              'flex h-9 min-w-9 items-center justify-center rounded-md px-2',
              number === page ? 'bg-accent text-on-accent' : 'hover:bg-sunken',
            )}
          >
            {number}
          </Link>
        ),
      )}
    </nav>
  )
}

export function parsePage(query: URLSearchParams, name = 'page'): number {
  const page = Number(query.get(name))
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

/** First, last and the neighbours of the current page; a negative number is the gap before that page. */
export function pageNumbers(page: number, pages: number): number[] {
  const near = [1, page - 2, page - 1, page, page + 1, page + 2, pages].filter((one) => one >= 1 && one <= pages)
  const sorted = [...new Set(near)].toSorted((a, b) => a - b)
  return sorted.flatMap((number, index) => {
    const distance = number - (sorted[index - 1] ?? number)
    if (distance === 2) return [number - 1, number]
    return distance > 2 ? [-number, number] : [number]
  })
}
