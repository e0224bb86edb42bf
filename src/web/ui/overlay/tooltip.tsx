import type { ReactNode } from 'react'

/** For sighted users: the control inside has an accessible name already. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <span className="group/tip relative inline-flex">
      {children}
      <span
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-full z-40 mr-2 -translate-y-1/2 rounded-sm bg-ink px-2 py-1 text-xs whitespace-nowrap text-canvas opacity-0 transition-opacity group-focus-within/tip:opacity-100 group-hover/tip:opacity-100"
      >
        {text}
      </span>
    </span>
  )
}
