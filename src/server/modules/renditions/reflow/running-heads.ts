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
export function withoutRunningHeads(pages: readonly PageRows[], bodyHeight: number): PageRows[] {
  const repeats = countRepeats(pages)
  return pages.map((page) => {
    const edges = new Set(rowsAtEdges(page))
    const isRunning = (row: Row) =>
      edges.has(row) &&
      (pageNumber.test(rowText(row)) ||
        (row.height <= bodyHeight * 1.2 && repeatKeys(page, row).some((key) => (repeats.get(key) ?? 0) >= minRepeats)))
    return { ...page, rows: page.rows.filter((row) => !isRunning(row)) }
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
