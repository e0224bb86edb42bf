import { Link } from 'react-router'
import type { Choice } from '#web/features/lists/choice-link.tsx'
import { cx } from '#web/ui/class-names.ts'

/** Choices of which exactly one is active. */
export function ChoiceTabs({ label, choices }: { label: string; choices: Choice[] }) {
  return (
    <nav aria-label={label} className="flex min-w-0 overflow-x-auto [scrollbar-width:none]">
      {choices.map(({ title, to, isChosen }) => (
        <Link
          key={title}
          to={to}
          preventScrollReset
          aria-current={isChosen ? 'true' : undefined}
          className={cx(
            'border-b-2 px-3 py-2.5 text-sm whitespace-nowrap focus-visible:-outline-offset-2 md:px-4',
            isChosen ? 'border-accent font-medium text-ink' : 'border-transparent text-muted hover:text-ink',
          )}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}
