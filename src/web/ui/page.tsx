import type { ReactNode } from 'react'
import { cx } from '#web/ui/class-names.ts'

/** The width and side margins of all page content. */
export const frame = 'mx-auto w-full max-w-page px-4 md:px-6 lg:px-16 xl:px-6'

/** Leaves the right edge of tablets to the bar that is there. */
export const frameBesideBar = `${frame} md:max-lg:pr-17`

export function Page({
  narrow = false,
  className,
  children,
}: {
  narrow?: boolean
  className?: string
  children: ReactNode
}) {
  return (
    <div className={cx(frameBesideBar, 'pt-6 md:pt-8 print:p-0', className)}>
      <div className={narrow ? 'mx-auto max-w-read' : undefined}>{children}</div>
    </div>
  )
}
