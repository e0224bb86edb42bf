import { HighlightColor } from '#shared/enums.ts'

/** Ranges of text in colour, without elements of their own: the text stays as it was set. */

const noteColors: Record<HighlightColor, string> = {
  [HighlightColor.Yellow]: 'rgb(250 204 21 / 0.38)',
  [HighlightColor.Green]: 'rgb(74 222 128 / 0.36)',
  [HighlightColor.Blue]: 'rgb(96 165 250 / 0.34)',
  [HighlightColor.Pink]: 'rgb(244 114 182 / 0.34)',
}

const rules = [
  ...Object.entries(noteColors).map(([color, value]) => `::highlight(note-${color}){background-color:${value}}`),
  '::highlight(noted){text-decoration:underline dotted 1.5px}',
  '::highlight(found){background-color:rgb(251 146 60 / 0.4)}',
  '::highlight(found-now){background-color:rgb(249 115 22 / 0.75);color:#1b1f1d}',
]

/** Over each other, the later ones on top. */
export type PaintName = `note-${HighlightColor}` | 'noted' | 'found' | 'found-now'
const priorities: Partial<Record<PaintName, number>> = { noted: 1, found: 2, 'found-now': 3 }

let isReady = false

/** Nothing is painted by browsers that do not know how to: the text can be read as well. */
export function paint(name: PaintName, ranges: readonly Range[]): void {
  if (typeof Highlight === 'undefined' || !('highlights' in CSS)) return
  if (!isReady) {
    isReady = true
    const sheet = new CSSStyleSheet()
    for (const rule of rules) sheet.insertRule(rule)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }
  const highlight = new Highlight(...ranges)
  highlight.priority = priorities[name] ?? 0
  if (ranges.length > 0) CSS.highlights.set(name, highlight)
  else CSS.highlights.delete(name)
}
