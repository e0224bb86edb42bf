import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'

/** The last crumb is the page itself. */
export function Breadcrumb({ crumbs }: { crumbs: { title: string; to?: string }[] }) {
  return (
    <nav aria-label="所在位置">
      <ol className="flex flex-wrap items-center gap-1 text-sm text-muted">
        {crumbs.map(({ title, to }, index) => (
          <li key={to ?? title} className="flex items-center gap-1">
            {index > 0 && <ChevronRight size={14} aria-hidden />}
            {to ? (
              <Link to={to} className="hover:text-accent">
                {title}
              </Link>
            ) : (
              <span aria-current="page" className="text-ink">
                {title}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
