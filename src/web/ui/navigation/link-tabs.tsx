import { NavLink } from 'react-router'
import { cx } from '#web/ui/class-names.ts'

/** Tabs that are links: the address is their state. */
export function LinkTabs({ label, tabs }: { label: string; tabs: { title: string; to: string; end?: boolean }[] }) {
  return (
    <nav aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map(({ title, to, end = false }) => (
        <NavLink
          key={to}
          to={to}
          end={end}
          preventScrollReset
          className={({ isActive }) =>
            cx(
              '-mb-px border-b-2 px-4 py-3 text-sm whitespace-nowrap transition-colors focus-visible:-outline-offset-2',
              isActive ? 'border-accent font-medium text-ink' : 'border-transparent text-muted hover:text-ink',
            )
          }
        >
          {title}
        </NavLink>
      ))}
    </nav>
  )
}
