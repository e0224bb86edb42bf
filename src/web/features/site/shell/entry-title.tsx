import type { CSSProperties } from 'react'

/** The title of a navigation entry in the colour that the owner gave it; hardly readable ones get a backdrop (app.css). */
export function EntryTitle({ title, color }: { title: string; color: string }) {
  return (
    <span style={ownColor(color)} className="-mx-1 truncate rounded-sm px-1">
      {title}
    </span>
  )
}

/** Undefined for what is no colour. */
export function ownColor(color: string): (CSSProperties & { '--own-color': string }) | undefined {
  return /^[#\w(),.%\s]{3,60}$/.test(color) ? { color, '--own-color': color } : undefined
}
