import { Link } from 'react-router'
import { cx } from '#web/ui/class-names.ts'

/** A filter or order of a list: a link that keeps the other choices. */
export interface Choice {
  title: string
  to: string
  isChosen: boolean
  count?: number
  hint?: string
}

export function ChoiceLink({ choice, keepsScroll = false }: { choice: Choice; keepsScroll?: boolean }) {
  const { title, to, isChosen, count = 0, hint } = choice
  return (
    <Link
      to={to}
      preventScrollReset={keepsScroll}
      title={hint || undefined}
      aria-current={isChosen ? 'true' : undefined}
      className={cx(
        'block rounded-md px-2.5 py-1.5 whitespace-nowrap focus-visible:-outline-offset-2',
        isChosen ? 'bg-accent-soft font-medium text-accent' : 'hover:bg-sunken',
      )}
    >
      {title}
      {count > 0 && <span className="ml-1 text-muted tabular-nums">{count}</span>}
    </Link>
  )
}
