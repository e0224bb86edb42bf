import type { HeadingLevel } from '#shared/reflow.ts'
import { splitMarker } from './list-markers.ts'
import { findCode } from './monospaced.ts'
import type { Chunk } from './reading-order.ts'
import { bottomOf, rightOf, rowText, type Row } from './rows.ts'

/** What is usual in the pages around. */
export interface Body {
  /** The height of a line of body text like this one, in points. */
  heightOf: (text: string) => number
  /** The levels of titles in the outline, by `titleKey`. */
  headings: ReadonlyMap<string, HeadingLevel>
}

/** Rows that make one block. */
export interface Group {
  rows: Row[]
  /** Of a list item: its bullet or number. */
  marker: string
  /** Of a heading. */
  level: HeadingLevel | undefined
  isCode: boolean
}

/** Sizes of headings in shares of the body's height, the largest first. */
const headingSizes: readonly (readonly [share: number, level: HeadingLevel])[] = [
  [1.6, 1],
  [1.35, 2],
  [1.18, 3],
]
const maxHeadingLength = 80
const bullet = /^[•·●○◦■□▪▫◆◇▶►➢➤✓✔※–—*‣-]/
const isProse = /^\p{Ll}|[，,；;。.、]$/u
/** In shares of the usual distance of two lines. */
const paragraphGap = 1.3
/** In heights of the row. */
const indent = 0.8

/** A title as it is compared: without blanks, in lower case. */
export function titleKey(title: string): string {
  return title.replace(/[\s\u3000]+/g, '').toLowerCase()
}

/** The blocks of a chunk: paragraphs by indentation, gaps and short last lines; headings by size and outline. */
export function toGroups(chunk: Chunk, body: Body): Group[] {
  const pitch = linePitch(chunk.rows)
  const code = findCode(chunk.rows)
  const groups: Group[] = []
  for (const [index, row] of chunk.rows.entries()) {
    const group = groups.at(-1)
    const next = code.has(row) ? codeGroup(row) : newGroup(row, body)
    if (group && continuesGroup(group, next, { row, after: chunk.rows[index + 1], chunk, pitch })) group.rows.push(row)
    else groups.push(next)
  }
  return groups
}

/** Whether the first word of the next row would have had room in this one: a paragraph ended here. */
export function isShort(row: Row, next: Row, right: number): boolean {
  const text = rowText(next)
  const [word = ''] = /^(?:[\p{sc=Han}\u3000-\u303f\uff00-\uffef]{1,2}|[^\s\p{sc=Han}]+)/u.exec(text) ?? []
  const needed = (unitsOf(word) / Math.max(1, unitsOf(text))) * next.width
  return right - rightOf(row) > needed + 0.6 * row.height
}

/** In halves of an em: Chinese characters count as two. */
function unitsOf(text: string): number {
  return text.length + (text.match(/[\u2e80-\ud7ff\uf900-\ufaff\uff00-\uff60]/g)?.length ?? 0)
}

function newGroup(row: Row, body: Body): Group {
  const text = rowText(row)
  const level = headingLevel(row, text, body)
  const marker = level === undefined && row.cells.length === 1 ? splitMarker(text)?.marker : undefined
  return { rows: [row], marker: marker ?? '', level, isCode: false }
}

function codeGroup(row: Row): Group {
  return { rows: [row], marker: '', level: undefined, isCode: true }
}

function headingLevel({ height, cells }: Row, text: string, body: Body): HeadingLevel | undefined {
  if (text.length > maxHeadingLength || cells.length > 2) return undefined
  const listed = body.headings.get(titleKey(text))
  if (listed !== undefined) return listed
  const level = headingSizes.find(([share]) => height >= share * body.heightOf(text))?.[1]
  // A symbol of another font makes a line of prose higher.
  return level !== undefined && level > 1 && (isProse.test(text) || bullet.test(text)) ? undefined : level
}

interface Surroundings {
  row: Row
  after: Row | undefined
  chunk: Chunk
  pitch: number
}

function continuesGroup(group: Group, next: Group, { row, after, chunk, pitch }: Surroundings): boolean {
  const before = group.rows.at(-1)
  if (!before || next.marker !== '') return false
  if (group.isCode || next.isCode) return group.isCode && next.isCode
  const distance = bottomOf(row) - bottomOf(before)
  if (group.level !== undefined || next.level !== undefined)
    return group.level === next.level && isSimilar(before.height, row.height) && distance < 1.7 * row.height
  if (before.cells.length > 1 || row.cells.length > 1) return false
  if (distance > paragraphGap * pitch + 1 || !isSimilar(before.height, row.height)) return false
  const isLineFull = !isShort(before, row, chunk.right)
  if (group.marker !== '') return isLineFull || isIndented(row, group.rows[0]?.x ?? 0)
  if (!isLineFull) return false
  if (isIndented(row, before.x)) return isHanging(group, row, after)
  const isOutdented = isIndented(before, row.x)
  return !isOutdented || group.rows.length === 1
}

function isIndented({ x, height }: Row, left: number): boolean {
  return x - left > indent * height
}

/** All lines but the first are indented, as in a bibliography. */
function isHanging({ rows }: Group, row: Row, after: Row | undefined): boolean {
  return rows.length === 1 && after !== undefined && Math.abs(after.x - row.x) < 0.3 * row.height
}

/** Lines with Latin letters are higher than those without. */
function isSimilar(a: number, b: number): boolean {
  return Math.max(a, b) < 1.3 * Math.min(a, b)
}

/** The usual distance of two lines; gaps between paragraphs are larger. */
function linePitch(rows: readonly Row[]): number {
  const distances = rows.slice(1).map((row, index) => bottomOf(row) - bottomOf(rows[index] ?? row))
  const sorted = distances.filter((distance) => distance > 0).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 3)] ?? 0
}
