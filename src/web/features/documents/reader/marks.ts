/** What was looked for, as it lies on a page: from where up to where in which line, and which of the page's hits it is. */
export interface Mark {
  line: number
  from: number
  to: number
  hit: number
}

/** One hit: which of those on its page, counted from 0. */
export interface HitPlace {
  page: number
  hit: number
}

/** What is marked on the pages that are there. */
export interface Marked {
  marks: ReadonlyMap<number, readonly Mark[]>
  current: HitPlace | undefined
  /** The current one has come to lie on its page. */
  onShown: () => void
}

/** A stretch of a line; `hits` are those that it belongs to. */
interface Part {
  from: number
  text: string
  hits: readonly number[]
}

/** A line in stretches, so that what is marked can be told from what is not. Marks may touch or overlap. */
export function partsOf(text: string, marks: readonly Mark[]): Part[] {
  const edges = marks.flatMap(({ from, to }) => [from, to]).filter((edge) => edge > 0 && edge < text.length)
  const starts = [...new Set([0, ...edges])].toSorted((one, other) => one - other)
  return starts.map((from, index) => ({
    from,
    text: text.slice(from, starts[index + 1]),
    hits: marks.filter((mark) => mark.from <= from && mark.to > from).map(({ hit }) => hit),
  }))
}
