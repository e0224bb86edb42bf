/** Where the characters of a line stand: browsers have other fonts, so that a line stretched evenly is off by whole words. */

/** The extent of a character along its line, in points. */
export type Extent = readonly [start: number, end: number]

/** Where the character of each index stands: characters beyond U+FFFF have two indices and one extent. */
export interface PlacedText {
  text: string
  extents: readonly Extent[]
}

/** Longer words are divided: the letters of two fonts differ more, the more there are. */
const maxWordLength = 12
/** How far a character may be from its place in an even row, relative to its width. */
const tolerance = 0.06
/** Characters that stand further apart are no even row. */
const maxPitch = 1.35
/** In a browser they are all as wide as they are high. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u

/**
 * Divides a line into runs whose characters a browser spaces as they are printed: Chinese characters in an even row, or a
 * word. For each run its length, the gap before it and its width, in tenths of a point; the blank after a word is in the gap.
 * Undefined where the characters do not stand one after the other, as in Arabic.
 */
export function divideIntoRuns({ text, extents }: PlacedText): number[] | undefined {
  const chars = Array.from(text)
  if (chars.length !== extents.length) return undefined
  const runs: number[] = []
  let at = toTenths(extents[0]?.[0] ?? 0)
  for (let first = 0; first < chars.length;) {
    if (chars[first] === ' ') {
      first += 1
      continue
    }
    const next = endOfRun(chars, extents, first)
    const length = chars.slice(first, next).join('').length
    const start = toTenths(extents[first]?.[0] ?? 0)
    const end = toTenths(extents[next - 1]?.[1] ?? 0)
    if (end <= start) return undefined
    runs.push(length, start - at, end - start)
    at = end
    first = next
  }
  return isInOrder(extents) ? runs : undefined
}

function endOfRun(chars: readonly string[], extents: readonly Extent[], first: number): number {
  const isWide = wide.test(chars[first] ?? '')
  const [start, end] = extents[first] ?? [0, 0]
  const width = end - start
  let pitch = 0
  let next = first + 1
  for (; next < chars.length; next += 1) {
    const char = chars[next] ?? ''
    if (char === ' ' || wide.test(char) !== isWide) break
    const [at] = extents[next] ?? [0, 0]
    if (isWide) {
      if (pitch === 0) pitch = at - start
      if (pitch > width * maxPitch || Math.abs(start + pitch * (next - first) - at) > width * tolerance) break
    } else {
      const gap = at - (extents[next - 1]?.[1] ?? at)
      if (next - first >= maxWordLength || Math.abs(gap) > width || isLetter(char) !== isLetter(chars[first] ?? ''))
        break
    }
  }
  return next
}

/** Punctuation is searched for less than the words beside it, and varies more from font to font. */
function isLetter(char: string): boolean {
  return /[\p{L}\p{N}\p{M}]/u.test(char)
}

function isInOrder(extents: readonly Extent[]): boolean {
  return extents.every(([start], index) => start >= (extents[index - 1]?.[0] ?? start) - 0.5)
}

function toTenths(points: number): number {
  return Math.round(points * 10)
}
