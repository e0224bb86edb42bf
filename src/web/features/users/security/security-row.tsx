import type { ReactNode } from 'react'

/** One thing in a card, and what can be done with it. */
export function SecurityRow({ title, text, children }: { title: ReactNode; text: ReactNode; children?: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-x-2 font-medium break-words">{title}</p>
        <p className="mt-0.5 text-sm text-muted">{text}</p>
      </div>
      <div className="flex shrink-0 gap-2">{children}</div>
    </li>
  )
}
