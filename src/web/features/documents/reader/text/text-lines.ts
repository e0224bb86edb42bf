/** `[x, y, width, height, text]` in the units of the page. */
export type TextLine = readonly [number, number, number, number, string]

export interface PageText {
  width: number
  height: number
  lines: readonly TextLine[]
}

export interface PositionedLine {
  index: number
  text: string
  left: number
  top: number
  height: number
  /** The printed width relative to the width in the browser's font. */
  stretch: number
}

/** Positions in percent of the page. `measure` returns the width of a text at a font size of 100. */
export function positionLines({ width, height, lines }: PageText, measure: (text: string) => number): PositionedLine[] {
  if (!(width > 0 && height > 0)) return []
  return lines.flatMap(([x, y, w, h, text], index) => {
    const natural = (measure(text) * h) / 100
    if (text.trim() === '' || !(w > 0 && h > 0 && natural > 0)) return []
    return {
      index,
      text,
      left: (x / width) * 100,
      top: (y / height) * 100,
      height: (h / height) * 100,
      stretch: w / natural,
    }
  })
}

/** Validates a response; undefined if it is not the text of a page. */
export function readPageText(value: unknown): PageText | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { width, height, lines }: Partial<Record<keyof PageText, unknown>> = value
  if (typeof width !== 'number' || typeof height !== 'number' || !Array.isArray(lines)) return undefined
  return { width, height, lines: lines.filter(isLine) }
}

function isLine(value: unknown): value is TextLine {
  return (
    Array.isArray(value) &&
    typeof value[4] === 'string' &&
    value.slice(0, 4).every((part: unknown) => typeof part === 'number')
  )
}
