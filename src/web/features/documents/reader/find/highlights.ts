/** A range of a text line, and the index of its hit on the page. A hit may span several lines. */
export interface Highlight {
  line: number
  from: number
  to: number
  hit: number
}

/** A hit by its page and its index there. */
export interface HitPosition {
  page: number
  hit: number
}

export interface HighlightState {
  /** By page, for the pages that are rendered. */
  highlights: ReadonlyMap<number, readonly Highlight[]>
  current: HitPosition | undefined
  /** Called when the current hit has been rendered. */
  onShown: () => void
}

interface LineSegment {
  from: number
  text: string
  /** The hits that the segment belongs to. */
  hits: readonly number[]
}

/** Splits a line at the edges of its highlights, which may touch or overlap. */
export function splitByHighlights(text: string, highlights: readonly Highlight[]): LineSegment[] {
  const edges = highlights.flatMap(({ from, to }) => [from, to]).filter((edge) => edge > 0 && edge < text.length)
  const starts = [...new Set([0, ...edges])].toSorted((a, b) => a - b)
  return starts.map((from, index) => ({
    from,
    text: text.slice(from, starts[index + 1]),
    hits: highlights.filter((highlight) => highlight.from <= from && highlight.to > from).map(({ hit }) => hit),
  }))
}
