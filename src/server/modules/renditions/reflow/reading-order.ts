import { bottomOf, rightOf, type Row } from './rows.ts'

/** Rows directly below each other: a paragraph or a part of one, a column, a caption. */
export interface Chunk {
  rows: Row[]
  left: number
  right: number
  top: number
  bottom: number
}

/** In heights of the row: what is further down belongs to another chunk. */
const maxGap = 1.6
/** How many of the latest chunks a row may continue: more than a page has columns. */
const openChunks = 4
/** More than a printed page has: the order of so many is left as it is. */
const maxChunks = 200

/**
 * The chunks of a page in the order in which people read them: what is above another comes before it, and a column before
 * the column to its right. Where neither rule speaks, the order of the file decides.
 */
export function orderChunks(rows: readonly Row[]): Chunk[] {
  const chunks = toChunks(rows)
  return chunks.length > maxChunks ? chunks : sortByPosition(chunks)
}

function toChunks(rows: readonly Row[]): Chunk[] {
  const chunks: Chunk[] = []
  for (const row of rows) {
    const chunk = chunks.slice(-openChunks).findLast((candidate) => continues(candidate, row))
    if (chunk) append(chunk, row)
    else chunks.push({ rows: [row], left: row.x, right: rightOf(row), top: row.y, bottom: bottomOf(row) })
  }
  return chunks
}

function continues({ rows, left, right, bottom }: Chunk, row: Row): boolean {
  const last = rows.at(-1)
  if (!last) return false
  const gap = row.y - bottom
  if (gap < -0.4 * row.height || gap > maxGap * Math.max(row.height, last.height)) return false
  return overlap(left, right, row.x, rightOf(row)) > 0.5 * Math.min(right - left, row.width)
}

function append(chunk: Chunk, row: Row): void {
  chunk.rows.push(row)
  chunk.left = Math.min(chunk.left, row.x)
  chunk.right = Math.max(chunk.right, rightOf(row))
  chunk.bottom = Math.max(chunk.bottom, bottomOf(row))
}

/** A stable topological order; a cycle is broken at the earliest chunk of the file. */
function sortByPosition(chunks: readonly Chunk[]): Chunk[] {
  const waiting = new Set(chunks)
  const ordered: Chunk[] = []
  while (waiting.size > 0) {
    const all = [...waiting]
    const next = all.find((chunk) => !all.some((other) => other !== chunk && isBefore(other, chunk))) ?? all[0]
    if (!next) break
    waiting.delete(next)
    ordered.push(next)
  }
  return ordered
}

function isBefore(a: Chunk, b: Chunk): boolean {
  if (overlap(a.left, a.right, b.left, b.right) > 1) return a.top < b.top
  return a.left < b.left && overlap(a.top, a.bottom, b.top, b.bottom) > 0
}

function overlap(from: number, to: number, otherFrom: number, otherTo: number): number {
  return Math.min(to, otherTo) - Math.max(from, otherFrom)
}
