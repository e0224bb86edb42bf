import type { CSSProperties } from 'react'

type OwnColor = CSSProperties & { '--own-color'?: string }

/** The colour that the owner gave an entry. Where it is hardly readable, app.css outlines it. Invalid colours are ignored. */
export function ownColor(color: string): OwnColor {
  return /^[#\w(),.%\s]{3,60}$/.test(color) ? { color, '--own-color': color } : {}
}
