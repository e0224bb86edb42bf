import { bottomOf, rowText, type Row } from './rows.ts'

/** The rows of one page, with its height. */
export interface PageRows {
  page: number
  height: number
  rows: Row[]
}

/** Heads and feet lie within these shares of the page's height from its edges. */
const edgeShare = 0.12
/** Rows at each edge that may belong to a head or a foot. */
const rowsAtEdge = 3
/** What stands at the same edge of so many pages is a head or a foot. */
const minRepeats = 3
const pageNumber =
  /^[\s\-–—·•|[(（]*(第|page|p\.)?\s*([\divxlc]{1,6}|[零〇一二三四五六七八九十百]{1,5})\s*[页頁]?(\s*(\/|／|of|，|,|共)\s*(共|of)?\s*\d{1,6}\s*[页頁]?)?[\s\-–—·•|\])）]*$/i

/** Pages without their running heads and feet: what stands at the edge of several pages, and page numbers. */
export function withoutRunningHeads(pages: readonly PageRows[], heightOf: (text: string) => number): PageRows[] {
  const repeats = countRepeats(pages)
  const isSmall = (row: Row) => row.height <= heightOf(rowText(row)) * 1.2
  const isRepeated = (page: PageRows, row: Row) =>
    pageNumber.test(rowText(row)) ||
    (isSmall(row) && repeatKeys(page, row).some((key) => (repeats.get(key) ?? 0) >= minRepeats))
  const places = countPlaces(pages, isRepeated)
  return pages.map((page) => {
    const edges = new Set(rowsAtEdges(page))
    const isRunning = (row: Row) =>
      isRepeated(page, row) ||
      (isSmall(row) && isApart(page, row) && (places.get(placeKey(page, row)) ?? 0) >= minRepeats)
    return { ...page, rows: page.rows.filter((row) => !(edges.has(row) && isRunning(row))) }
  })
}

/** The places of heads and feet: those of a short chapter, which nothing repeats, stand there too. */
function countPlaces(
  pages: readonly PageRows[],
  isRepeated: (page: PageRows, row: Row) => boolean,
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const page of pages) {
    const found = rowsAtEdges(page).filter((row) => isRepeated(page, row))
    for (const key of new Set(found.map((row) => placeKey(page, row)))) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

/** Lines with Chinese characters are higher: the lower edge is the same. */
function placeKey({ height }: PageRows, row: Row): string {
  return `${height} ${Math.round(bottomOf(row) / 2)}`
}

/** Text has a line next to it at its own distance; a head or a foot stands alone. */
function isApart({ height, rows }: PageRows, row: Row): boolean {
  const isHead = row.y < height / 2
  return !rows.some((other) => {
    if (other === row) return false
    const gap = isHead ? other.y - bottomOf(row) : row.y - bottomOf(other)
    const isBeyond = isHead ? other.y < row.y - 1 : bottomOf(other) > bottomOf(row) + 1
    return isBeyond || (gap > -0.5 * row.height && gap < 1.2 * row.height)
  })
}

function countRepeats(pages: readonly PageRows[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const page of pages)
    for (const key of new Set(rowsAtEdges(page).flatMap((row) => repeatKeys(page, row))))
      counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/** The same text but for its numbers. By cells: beside the name of the book may stand that of the section. */
function repeatKeys({ height }: PageRows, { y, cells }: Row): string[] {
  const edge = y < height / 2 ? 'head' : 'foot'
  return cells.map(({ text }) => `${edge} ${text.replace(/\d+/g, '#').replace(/\s+/g, '')}`)
}

/** The outermost rows near the upper and the lower edge. */
function rowsAtEdges({ height, rows }: PageRows): Row[] {
  const upper = rows.filter((row) => bottomOf(row) < height * edgeShare).toSorted((a, b) => a.y - b.y)
  const lower = rows.filter((row) => row.y > height * (1 - edgeShare)).toSorted((a, b) => b.y - a.y)
  return [...upper.slice(0, rowsAtEdge), ...lower.slice(0, rowsAtEdge)]
}
