import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { cx } from '#web/ui/class-names.ts'
import { displayFont } from '#web/ui/display-font.ts'

interface SectionProps {
  title: string
  more: string
  /** Controls beside the link to more. */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

/** A section of the home page, with a link to more. */
export function Section({ title, more, aside, className, children }: SectionProps) {
  return (
    <section aria-label={title} className={className}>
      <Heading title={title} more={more} aside={aside} />
      <div className="mt-4">{children}</div>
    </section>
  )
}

export function Heading({ title, more, aside }: Pick<SectionProps, 'title' | 'more' | 'aside'>) {
  return (
    <div className="flex items-center justify-between gap-4">
      <h2 className={cx('min-w-0 truncate text-xl', displayFont(title))}>{title}</h2>
      <div className="flex shrink-0 items-center gap-4">
        {aside}
        <Link discover="none" to={more} aria-label={`更多${title}`} className="text-sm text-muted hover:text-accent">
          更多
        </Link>
      </div>
    </div>
  )
}
