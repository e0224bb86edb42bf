import { foldWithMap } from './fold.ts'
import { type Query, readQuery } from '../engine/query.ts'
import type { Excerpt, Range } from '../fulltext.ts'

/** Where in a text the words are: the phrase wherever it is whole, else each of them. */
export function rangesIn(text: string, words: string): Range[] {
  const query = readQuery(words)
  return query ? highlight(text, query) : []
}

export function highlight(text: string, query: Query): Range[] {
  return merged(hitRanges(text, query))
}

/** One by one, as they are counted, though they may touch or overlap. */
export function hitRanges(text: string, query: Query): Range[] {
  const folded = foldWithMap(text)
  const phrase = placesOf(folded.text, query.phrase.text)
  const places = phrase.length > 0 ? phrase : query.words.flatMap((word) => placesOf(folded.text, word.text))
  return places.toSorted(([one], [other]) => one - other).map(([from, to]) => [folded.from(from), folded.to(to - 1)])
}

export function hitsIn(folded: string, wanted: string): number {
  let hits = 0
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) hits++
  return hits
}

const before = 40
const excerptLength = 160

/** The part of a text with most hits. */
export function excerptOf(text: string, query: Query): Excerpt {
  const ranges = highlight(text, query)
  const hitsFrom = (at: number) => ranges.filter(([from, to]) => from >= at && to <= at + excerptLength - before).length
  let best = ranges[0]
  for (const range of ranges.slice(0, 100)) if (best && hitsFrom(range[0]) > hitsFrom(best[0])) best = range
  const from = wholeCharacter(text, Math.max(0, Math.min((best?.[0] ?? 0) - before, text.length - excerptLength)))
  const to = wholeCharacter(text, Math.min(text.length, from + excerptLength))
  const inside = ranges
    .filter((range) => range[0] < to && range[1] > from)
    .map((range): Range => [Math.max(0, range[0] - from), Math.min(to, range[1]) - from])
  return inOneLine(text.slice(from, to), inside)
}

/** Chinese goes on over the end of a line as if there were none; between other words a blank is left. */
function inOneLine(text: string, ranges: readonly Range[]): Excerpt {
  const places: number[] = []
  let line = ''
  for (const part of text.split(/(\s+)/u)) {
    const isGap = /^\s+$/u.test(part)
    const next = text[places.length + part.length] ?? ''
    const kept = !isGap ? part : wide.test(line.at(-1) ?? '') && wide.test(next) ? '' : ' '
    for (let at = 0; at < part.length; at++) places.push(line.length + Math.min(at, kept.length))
    line += kept
  }
  places.push(line.length)
  return { text: line, ranges: ranges.map(([from, to]) => [places[from] ?? 0, places[to] ?? line.length]) }
}

const wide = /[\u2e80-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u3000-\u303f]/u

function placesOf(folded: string, wanted: string): Range[] {
  const places: Range[] = []
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length))
    places.push([at, at + wanted.length])
  return places
}

function merged(ranges: Range[]): Range[] {
  const result: Range[] = []
  for (const range of ranges) {
    const last = result.at(-1)
    if (last && range[0] <= last[1]) last[1] = Math.max(last[1], range[1])
    else result.push([...range])
  }
  return result
}

function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code < 0xe000 ? at - 1 : at
}
