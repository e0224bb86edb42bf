import type { Excerpt, TextRange } from '../fulltext.ts'
import { foldWithMap } from './fold.ts'
import { type ParsedQuery, parseQuery } from './query.ts'

/** Where a text contains the phrase; if nowhere, where it contains each of its words. */
export function findRanges(text: string, words: string): TextRange[] {
  const query = parseQuery(words)
  return query ? highlight(text, query) : []
}

export function highlight(text: string, query: ParsedQuery): TextRange[] {
  return mergeRanges(hitRanges(text, query))
}

/** One range per hit, as hits are counted; ranges may touch or overlap. */
export function hitRanges(text: string, query: ParsedQuery): TextRange[] {
  const folded = foldWithMap(text)
  const phrase = findOccurrences(folded.text, query.phrase.text)
  const occurrences =
    phrase.length > 0 ? phrase : query.words.flatMap((word) => findOccurrences(folded.text, word.text))
  return occurrences.toSorted(([a], [b]) => a - b).map(([from, to]) => [folded.from(from), folded.to(to - 1)])
}

export function countHits(folded: string, needle: string): number {
  let hits = 0
  for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, at + needle.length)) hits++
  return hits
}

const excerptLength = 160
/** How much of the excerpt comes before the first hit. */
const leadLength = 40
const maxHitsCompared = 100

/** The part of a text with the most hits. */
export function extractExcerpt(text: string, query: ParsedQuery): Excerpt {
  const ranges = highlight(text, query)
  const countFrom = (at: number) =>
    ranges.filter(([from, to]) => from >= at && to <= at + excerptLength - leadLength).length
  let best = ranges[0]
  for (const range of ranges.slice(0, maxHitsCompared))
    if (best && countFrom(range[0]) > countFrom(best[0])) best = range
  const from = codePointStart(text, Math.max(0, Math.min((best?.[0] ?? 0) - leadLength, text.length - excerptLength)))
  const to = codePointStart(text, Math.min(text.length, from + excerptLength))
  const inside = ranges
    .filter((range) => range[0] < to && range[1] > from)
    .map((range): TextRange => [Math.max(0, range[0] - from), Math.min(to, range[1]) - from])
  return joinLines(text.slice(from, to), inside)
}

/** Makes one line of several: between two hanzi a line break disappears, elsewhere whitespace becomes one space. */
function joinLines(text: string, ranges: readonly TextRange[]): Excerpt {
  /** For each index of the text its index in the line. */
  const lineIndex: number[] = []
  let line = ''
  for (const part of text.split(/(\s+)/u)) {
    const isWhitespace = /^\s+$/u.test(part)
    const next = text[lineIndex.length + part.length] ?? ''
    const joined = !isWhitespace ? part : wide.test(line.at(-1) ?? '') && wide.test(next) ? '' : ' '
    for (let at = 0; at < part.length; at++) lineIndex.push(line.length + Math.min(at, joined.length))
    line += joined
  }
  lineIndex.push(line.length)
  return { text: line, ranges: ranges.map(([from, to]) => [lineIndex[from] ?? 0, lineIndex[to] ?? line.length]) }
}

/** CJK characters, their punctuation and full-width forms. */
const wide = /[\u2e80-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u3000-\u303f]/u

function findOccurrences(folded: string, needle: string): TextRange[] {
  const occurrences: TextRange[] = []
  for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, at + needle.length))
    occurrences.push([at, at + needle.length])
  return occurrences
}

function mergeRanges(ranges: TextRange[]): TextRange[] {
  const merged: TextRange[] = []
  for (const range of ranges) {
    const last = merged.at(-1)
    if (last && range[0] <= last[1]) last[1] = Math.max(last[1], range[1])
    else merged.push([...range])
  }
  return merged
}

/** Never between the two halves of a surrogate pair. */
function codePointStart(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code < 0xe000 ? at - 1 : at
}
