import { Link } from 'react-router'

interface Count {
  title: string
  count: number
  /** The list that it counts. */
  to: string
}

/** A few counts side by side, each linked to its list. */
export function Counts({ counts }: { counts: Count[] }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-4">
      {counts.map(({ title, count, to }) => (
        <div key={title} className="relative flex flex-col-reverse bg-surface px-5 py-4 has-[a:hover]:bg-sunken">
          <dt className="text-sm text-muted">
            <Link to={to} className="after:absolute after:inset-0 focus-visible:-outline-offset-2">
              {title}
            </Link>
          </dt>
          <dd className="text-2xl font-semibold tabular-nums">{count}</dd>
        </div>
      ))}
    </dl>
  )
}
