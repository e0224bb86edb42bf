import type { ReactNode } from 'react'

/**
 * The site's drawings are of one hand: thin lines of paper, one touch of the accent, and often the leaf of a bean. Their
 * colours are those of the theme. Each has its own file, so that a page loads only what it shows.
 */
export function Drawing({ className = 'w-32', children }: { className?: string; children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 128 88"
      fill="none"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      className={`aspect-[128/88] max-w-full ${className}`}
    >
      {children}
    </svg>
  )
}

export interface DrawingProps {
  className?: string
}

/** Outlines of paper and things. */
export const paper = 'fill-surface stroke-edge'
/** Lines of print. */
export const print = 'stroke-line [stroke-width:2.5]'
/** The one touch of colour. */
export const leaf = 'fill-accent-soft stroke-accent [stroke-width:2]'
