import type { ReactNode } from 'react'
import { cx } from '#web/ui/class-names.ts'

export function Card({
  title,
  aside,
  className,
  children,
}: {
  title?: string
  aside?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <section className={cx('rounded-lg border border-line bg-surface p-5 md:p-6', className)}>
      {title && (
        <div className="mb-4 flex items-center justify-between gap-4">
          <h2 className="text-lg">{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  )
}
