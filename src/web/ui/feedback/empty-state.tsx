import type { ReactNode } from 'react'

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

function PagesDrawing() {
  return (
    <svg width="104" height="84" viewBox="0 0 104 84" fill="none" aria-hidden className="text-line">
      <g stroke="currentColor" strokeWidth="1.5" className="fill-surface">
        <rect x="14" y="15" width="44" height="60" rx="4" transform="rotate(-9 36 45)" />
        <rect x="46" y="15" width="44" height="60" rx="4" transform="rotate(9 68 45)" />
        <rect x="30" y="8" width="44" height="62" rx="4" />
      </g>
      <path d="M38 22h16" className="stroke-accent" strokeWidth="3" strokeLinecap="round" />
      <path d="M38 32h28M38 40h28M38 48h20" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  )
}
