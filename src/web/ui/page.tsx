import type { ReactNode } from 'react'
import { cx } from '#web/ui/class-names.ts'

/** The width and side margins of all page content: wide enough for the bar at the right edge. */
export const frame = 'mx-auto w-full max-w-page px-4 md:px-6 lg:px-16 xl:px-6'

export function Page({ narrow = false, children }: { narrow?: boolean; children: ReactNode }) {
  return (
    <div className={cx(frame, 'pt-6 md:pt-8 md:max-lg:pr-17')}>
      <div className={narrow ? 'mx-auto max-w-read' : undefined}>{children}</div>
    </div>
  )
}
