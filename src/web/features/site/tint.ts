import type { CSSProperties } from 'react'

/** An entry's own colour, drawn towards the ink so that it can be read on both papers; anything but a colour is none. */
export function tint(color: string): CSSProperties {
  return /^[#\w(),.%\s]{3,60}$/.test(color) ? { color: `color-mix(in oklab, ${color} 72%, var(--ink))` } : {}
}
