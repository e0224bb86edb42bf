/** Highlights ranges of a text, given as start and end indices; parts beyond the text are ignored. */
export function MarkedText({ text, ranges }: { text: string; ranges: readonly (readonly number[])[] }) {
  return splitByRanges(text, ranges).map(({ from, words, isMarked }) =>
    isMarked ? (
      <mark key={from} className="rounded-[2px] bg-[#f2b93b]/35 text-inherit dark:bg-[#f2b93b]/30">
        {words}
      </mark>
    ) : (
      words
    ),
  )
}

export interface Piece {
  from: number
  words: string
  isMarked: boolean
}

export function splitByRanges(text: string, ranges: readonly (readonly number[])[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  const take = (to: number, isMarked: boolean) => {
    if (to > at) pieces.push({ from: at, words: text.slice(at, to), isMarked })
    at = Math.max(at, to)
  }
  for (const [from = 0, to = 0] of ranges.toSorted(([a = 0], [b = 0]) => a - b)) {
    if (to <= from) continue
    take(Math.min(from, text.length), false)
    take(Math.min(to, text.length), true)
  }
  take(text.length, false)
  return pieces
}
