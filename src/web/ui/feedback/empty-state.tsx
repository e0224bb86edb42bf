import type { ReactNode } from 'react'
import { PagesDrawing } from '#web/ui/drawings/pages.tsx'

/** A list without entries: says so, and offers what to do about it. */
export function EmptyState({
  title,
  drawing,
  children,
  action,
}: {
  title: string
  drawing?: ReactNode
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center px-4 py-12 text-center md:py-16">
      {drawing ?? <PagesDrawing />}
      <h2 className="mt-5 text-lg">{title}</h2>
      {children && <div className="mt-1.5 max-w-md text-sm text-muted">{children}</div>}
      {action && <div className="mt-5 flex flex-wrap justify-center gap-3">{action}</div>}
    </div>
  )
}
