import type { Line } from '../../converter.ts'
import { divideIntoRuns, type Extent } from './runs.ts'

/** In characters: a real page has a few thousand. */
export const maxPageLength = 200_000
/** As sine: lines of scanned and of slanted pages are level enough. */
const maxSlope = 0.01

/** A line of MuPDF's structured text: its characters in reading order, in the document's coordinates. */
export interface RawLine {
  text: string
  /** The corners of each character. */
  quads: readonly Quad[]
  /** The unit vector along the line, y downwards. */
  direction: readonly [number, number]
}

/** Upper left, upper right, lower left, lower right. */
export type Quad = readonly [number, number, number, number, number, number, number, number]

interface Placement {
  scale: number
  left: number
  top: number
}

/** The lines of a page in reading order and in the coordinates of the displayed page. */
export function placeLines(rawLines: readonly RawLine[], placement: Placement): Line[] {
  const lines: Line[] = []
  let charsLeft = maxPageLength
  for (const raw of rawLines) {
    // Never half a surrogate pair at the end.
    const text = cleanText(raw.text)
      .slice(0, charsLeft)
      .replace(/[\ud800-\udbff]$/, '')
    const line = text === '' ? undefined : placeLine({ ...raw, text }, raw.text, placement)
    if (!line) continue
    charsLeft -= text.length
    lines.push(line)
    if (charsLeft <= 0) return lines
  }
  return lines
}

/** In its own frame a line goes from left to right; `along` and `across` are its axes on the page. */
function placeLine({ text, quads, direction }: RawLine, rawText: string, placement: Placement): Line | undefined {
  const isLevel = direction[0] > 0 && Math.abs(direction[1]) < maxSlope
  const along: readonly [number, number] = isLevel ? [1, 0] : direction
  const across: readonly [number, number] = [-along[1], along[0]]
  const kept = keptChars(rawText, text).map((index) => quads[index])
  const extents = kept.map((quad): Extent => (quad ? project(halfwayUp(quad), along, placement) : [0, 0]))
  const heights = kept.flatMap((quad) => (quad ? [project(quad, across, placement)] : []))
  if (heights.length === 0) return undefined
  const [start, end] = union(extents)
  const [top, bottom] = union(heights)
  const [length, thickness] = [end - start, bottom - top]
  const middle = [(start + end) / 2, (top + bottom) / 2] as const
  const x = middle[0] * along[0] + middle[1] * across[0]
  const y = middle[0] * along[1] + middle[1] * across[1]
  const width = length * Math.abs(along[0]) + thickness * Math.abs(across[0])
  const height = length * Math.abs(along[1]) + thickness * Math.abs(across[1])
  const box = [round(x - width / 2), round(y - height / 2), round(width), round(height), text] as const
  const runs = divideIntoRuns({ text, extents })
  if (isLevel) return runs && runs.length > 3 ? [...box, runs] : box
  const angle = round((Math.atan2(direction[1], direction[0]) * 180) / Math.PI)
  return [...box, runs ?? [], [angle, round(length), round(thickness)]]
}

/** The indices of the characters that are left after cleaning. */
function keptChars(rawText: string, text: string): number[] {
  const raw = Array.from(rawText.toWellFormed())
  const kept: number[] = []
  let next = 0
  for (const char of text) {
    // Any kind of blank has become a plain one.
    const isKept = (from: string) => from === char || (char === ' ' && isBlank(from))
    while (next < raw.length && !isKept(raw[next] ?? '')) next += 1
    kept.push(next)
    next += 1
  }
  return kept
}

function isBlank(char: string): boolean {
  return cleanText(char) === ''
}

/** The corners of an oblique character reach over its neighbours; halfway up it stands beside them. */
function halfwayUp([ulX, ulY, urX, urY, llX, llY, lrX, lrY]: Quad): Quad {
  const [x, y, endX, endY] = [(ulX + llX) / 2, (ulY + llY) / 2, (urX + lrX) / 2, (urY + lrY) / 2]
  return [x, y, endX, endY, x, y, endX, endY]
}

function project(quad: Quad, [ax, ay]: readonly [number, number], { scale, left, top }: Placement): Extent {
  const upperLeft = quad[0] * ax + quad[1] * ay
  const upperRight = quad[2] * ax + quad[3] * ay
  const lowerLeft = quad[4] * ax + quad[5] * ay
  const lowerRight = quad[6] * ax + quad[7] * ay
  const origin = left * ax + top * ay
  return [
    Math.min(upperLeft, upperRight, lowerLeft, lowerRight) * scale + origin,
    Math.max(upperLeft, upperRight, lowerLeft, lowerRight) * scale + origin,
  ]
}

function union(extents: readonly Extent[]): Extent {
  return extents.reduce(([start, end], [from, to]) => [Math.min(start, from), Math.max(end, to)], [Infinity, -Infinity])
}

/** Removes control characters and the blanks between Chinese characters. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(controls, ' ')
    .replace(/[\s\u00a0\u3000]+/g, ' ')
    .replace(betweenHanzi, '')
    .trim()
}

const controls = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\uffff]/gu
const betweenHanzi = /(?<=[\p{sc=Han}\u3001-\u303f\uff00-\uffef]) (?=[\p{sc=Han}\u3001-\u303f\uff00-\uffef])/gu

/** To tenths of a point. */
function round(value: number): number {
  return Math.round(value * 10) / 10
}
