/** Where the characters of a line stand: browsers have other fonts, so that a line stretched evenly is off by whole words. */

import { isWide, widthInBrowser } from './browser-fonts.ts'

/** The extent of a character along its line, in points. */
export type Extent = readonly [start: number, end: number]

/** Where the character of each index stands: characters beyond U+FFFF have two indices and one extent. */
export interface PlacedText {
  text: string
  extents: readonly Extent[]
}

/** Longer words are divided, so that every attempt to lengthen a run is cheap. */
const maxWordLength = 12
/** As "ffi". */
const maxLigatureLength = 4
/** How far a Chinese character may be from its place in an even row, relative to its width. */
const tolerance = 0.06
/** Characters that stand further apart are no even row: a highlight would reach over the gap after its last character. */
const maxPitch = 1.1
/** How far a letter may be from where a browser sets it, relative to the mean width of the run's letters. */
const letterTolerance = 0.2

/**
 * Divides a line into runs whose characters a browser spaces as they are printed: Chinese characters in an even row, or a
 * word. For each run its length, the gap before it and its width, in tenths of a point; the blank after a word is in the gap.
 * Undefined where the characters do not stand one after the other, as in Arabic.
 */
export function divideIntoRuns(line: PlacedText): number[] | undefined {
  const chars = Array.from(line.text)
  if (chars.length !== line.extents.length) return undefined
  const extents = divideLigatures(chars, line.extents)
  const runs: number[] = []
  let at = toTenths(extents[0]?.[0] ?? 0)
  for (let first = 0; first < chars.length;) {
    if (chars[first] === ' ') {
      first += 1
      continue
    }
    const next = isWide(chars[first] ?? '') ? endOfRow(chars, extents, first) : endOfWord(chars, extents, first)
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

/** Characters of one width at one distance. Punctuation is often narrower than the characters beside it. */
function endOfRow(chars: readonly string[], extents: readonly Extent[], first: number): number {
  const [start, end] = extents[first] ?? [0, 0]
  const width = end - start
  let pitch = 0
  let next = first + 1
  for (; next < chars.length; next += 1) {
    if (!isWide(chars[next] ?? '')) break
    const [from, to] = extents[next] ?? [0, 0]
    if (pitch === 0) pitch = from - start
    if (pitch < width * (1 - tolerance) || pitch > width * maxPitch) break
    if (Math.abs(to - from - width) > width * tolerance) break
    if (Math.abs(start + pitch * (next - first) - from) > width * tolerance) break
  }
  return next
}

/** As many letters as stand where a browser sets them when it makes the run as wide as it is printed. */
function endOfWord(chars: readonly string[], extents: readonly Extent[], first: number): number {
  const [start, end] = extents[first] ?? [0, 0]
  let next = first + 1
  for (; next < chars.length && next - first < maxWordLength; next += 1) {
    const char = chars[next] ?? ''
    if (char === ' ' || isWide(char) || isLetter(char) !== isLetter(chars[first] ?? '')) break
    const [from] = extents[next] ?? [0, 0]
    if (Math.abs(from - (extents[next - 1]?.[1] ?? from)) > end - start) break
    if (isLetter(char) && !isSetAsPrinted(chars, extents, first, next)) break
  }
  return next
}

/** Without intermediate arrays: this is done for every letter of a document. */
function isSetAsPrinted(chars: readonly string[], extents: readonly Extent[], first: number, last: number): boolean {
  const start = extents[first]?.[0] ?? 0
  const width = (extents[last]?.[1] ?? 0) - start
  let sum = 0
  for (let at = first; at <= last; at += 1) sum += widthInBrowser(chars[at] ?? '')
  const allowed = (letterTolerance * width) / (last - first + 1)
  let expected = start
  for (let at = first; at <= last; at += 1) {
    if (Math.abs(expected - (extents[at]?.[0] ?? 0)) > allowed) return false
    expected += (widthInBrowser(chars[at] ?? '') * width) / sum
  }
  return true
}

/** MuPDF gives the whole width of a ligature to its first letter and none to the others: they share it. */
function divideLigatures(chars: readonly string[], extents: readonly Extent[]): Extent[] {
  const divided = [...extents]
  for (let first = 0; first < chars.length; first += 1) {
    let next = first + 1
    while (next - first < maxLigatureLength && isWithoutWidth(chars[next], extents[next])) next += 1
    const [start, end] = extents[first] ?? [0, 0]
    const share = (end - start) / (next - first)
    for (let at = first; at < next; at += 1)
      divided[at] = [start + share * (at - first), start + share * (at + 1 - first)]
    first = next - 1
  }
  return divided
}

/** Accents stand above their letter and take no share of its width. */
function isWithoutWidth(char: string | undefined, extent: Extent | undefined): boolean {
  if (char === undefined || extent === undefined || char === ' ') return false
  return extent[1] - extent[0] < 0.01 && !/\p{M}/u.test(char)
}

const asciiLetters = new Set('0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ')

/** Punctuation is searched for less than the words beside it, and varies more from font to font. */
function isLetter(char: string): boolean {
  return asciiLetters.has(char) || /[\p{L}\p{N}\p{M}]/u.test(char)
}

function isInOrder(extents: readonly Extent[]): boolean {
  return extents.every(([start], index) => start >= (extents[index - 1]?.[0] ?? start) - 0.5)
}

function toTenths(points: number): number {
  return Math.round(points * 10)
}
