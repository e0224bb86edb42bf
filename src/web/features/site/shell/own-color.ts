import type { CSSProperties } from 'react'

/** The colour of a navigation entry, mixed with the text colour to be readable in both themes. Invalid colours are ignored. */
export function readableColor(color: string): CSSProperties {
  return /^[#\w(),.%\s]{3,60}$/.test(color) ? { color: `color-mix(in oklab, ${color} 72%, var(--ink))` } : {}
}
