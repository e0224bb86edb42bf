import type { Block, HeadingLevel, ReflowedPage } from '#shared/reflow.ts'
import type { OutlineEntry, PageLines } from '#server/convert/converter.ts'
import { joinLines, lineJoint } from './join-lines.ts'
import { splitMarker } from './list-markers.ts'
import { codeText, isMonospaced } from './monospaced.ts'
import { isShort, titleKey, toGroups, type Body, type Group } from './paragraphs.ts'
import { orderChunks, type Chunk } from './reading-order.ts'
import { type PageRows, withoutRunningHeads } from './running-heads.ts'
import { bottomOf, rowText, toRows, type Row } from './rows.ts'
import { toTable } from './tables.ts'

export interface ReflowOptions {
  outline: readonly OutlineEntry[]
  /** The pages were set by the converter itself, so that they have no heads and feet: those of an e-book. */
  isSetHere: boolean
}

/** A group in its chunk, which tells where lines begin and end. */
interface PlacedGroup extends Group {
  chunk: Chunk
}

interface GroupedPage {
  page: number
  groups: PlacedGroup[]
}

const endsSentence = /[。！？!?.；;：:…][”’"'）)」』]*$/u

/**
 * Paragraphs, headings and lists from the lines of consecutive pages. More pages than are needed make the result better:
 * heads and feet are known by their repetition.
 */
export function reflowPages(pages: readonly PageLines[], { outline, isSetHere }: ReflowOptions): ReflowedPage[] {
  const raw = pages.map(({ page, height, lines }): PageRows => ({ page, height, rows: toRows({ lines }) }))
  const heightOf = bodyHeights(raw)
  const kept = isSetHere ? raw : withoutRunningHeads(raw, heightOf)
  const known = pages.flatMap(({ lines }) => lines.map(([, , , , text]) => text)).join('\n')
  const grouped = kept.map(({ page, rows }): GroupedPage => {
    const body = { heightOf, headings: headingsAround(outline, page) }
    const groups = orderChunks(rows).flatMap((chunk) => toGroups(chunk, body).map((group) => ({ ...group, chunk })))
    return { page, groups: joinCodeGroups(joinColumns(groups)) }
  })
  return grouped.map(({ page, groups }, index) => {
    const blocks = toBlocks(groups, known)
    return { page, blocks: withJoint(blocks, groups, grouped[index - 1]?.groups.at(-1)) }
  })
}

/** The height of most characters; of lines with and without Chinese ones, whose fonts are of different heights. */
function bodyHeights(pages: readonly PageRows[]): (text: string) => number {
  const rows = pages.flatMap((page) => page.rows.filter((row) => !isMonospaced(row)))
  const [all, chinese, others] = [
    rows,
    rows.filter((row) => hanzi.test(rowText(row))),
    rows.filter((row) => !hanzi.test(rowText(row))),
  ].map((some) => ({ height: usualHeight(some), letters: letterCount(some) }))
  const enough = minShare * (all?.letters ?? 0)
  return (text) => {
    const own = hanzi.test(text) ? chinese : others
    return (own && own.letters >= enough ? own : all)?.height ?? 0
  }
}

const hanzi = /\p{sc=Han}/u
/** The share of the text that is enough to tell what is usual in it. */
const minShare = 0.15

function usualHeight(rows: readonly Row[]): number {
  const sorted = rows.toSorted((a, b) => a.height - b.height)
  const half = letterCount(rows) / 2
  let sum = 0
  return sorted.find((row) => (sum += rowText(row).length) >= half)?.height ?? 0
}

function letterCount(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + rowText(row).length, 0)
}

/** Entries of an outline point to the page of their heading, or to the end of the page before. */
function headingsAround(outline: readonly OutlineEntry[], page: number): Body['headings'] {
  const near = outline.filter((entry) => entry.page === page || entry.page === page - 1)
  return new Map(near.map(({ title, level }) => [titleKey(title), Math.min(4, level + 1) as HeadingLevel]))
}

function toBlocks(groups: readonly PlacedGroup[], known: string): Block[] {
  const blocks: Block[] = []
  const itemLefts: number[] = []
  for (let index = 0; index < groups.length; index += 1) {
    const group = groups[index]
    const [first] = group?.rows ?? []
    if (!group || !first) continue
    if (group.isCode) {
      blocks.push({ kind: 'code', text: codeText(group.rows) })
      continue
    }
    const table = toTable(tabularGroups(groups, index))
    if (table) {
      blocks.push(table.block)
      index += table.length - 1
      continue
    }
    if (group.marker === '' && group.level === undefined) itemLefts.length = 0
    blocks.push(toBlock(group, group.marker === '' ? 0 : depthOf(first, itemLefts), known))
  }
  return blocks
}

/** Up to the next code. */
function tabularGroups(groups: readonly PlacedGroup[], from: number): Row[][] {
  const end = groups.findIndex(({ isCode }, index) => index > from && isCode)
  return groups.slice(from, end === -1 ? undefined : end).map(({ rows }) => rows)
}

function toBlock({ rows, marker, level }: Group, depth: number, known: string): Block {
  const text = joinLines(rows.map(rowText), known)
  if (level !== undefined) return { kind: 'heading', level, content: [text] }
  if (marker === '') return { kind: 'paragraph', content: [text] }
  return { kind: 'item', marker, depth, content: [splitMarker(text)?.rest ?? text] }
}

/** How many enclosing lists begin further to the left; `lefts` are those of the list so far. */
function depthOf({ x, height }: Row, lefts: number[]): number {
  while (lefts.length > 0 && (lefts.at(-1) ?? 0) > x - 0.5 * height) lefts.pop()
  lefts.push(x)
  return Math.min(4, lefts.length - 1)
}

/** A paragraph at the end of a column goes on at the top of the next one. */
function joinColumns(groups: readonly PlacedGroup[]): PlacedGroup[] {
  const joined: PlacedGroup[] = []
  for (const group of groups) {
    const before = joined.at(-1)
    const isNextColumn = before && before.chunk !== group.chunk && group.chunk.top < before.chunk.bottom - 1
    if (isNextColumn && before.marker === '' && continuesParagraph(before, group, group.chunk.left))
      joined[joined.length - 1] = { ...group, rows: [...before.rows, ...group.rows] }
    else joined.push(group)
  }
  return joined
}

/** Code goes on below an empty line. */
function joinCodeGroups(groups: readonly PlacedGroup[]): PlacedGroup[] {
  const joined: PlacedGroup[] = []
  for (const group of groups) {
    const before = joined.at(-1)
    const [last, next] = [before?.rows.at(-1), group.rows[0]]
    const isBelow = last && next && next.y > last.y && next.y - bottomOf(last) < emptyLines * last.height
    if (before?.isCode && group.isCode && isBelow)
      joined[joined.length - 1] = { ...before, rows: [...before.rows, ...group.rows] }
    else joined.push(group)
  }
  return joined
}

/** The gap that ends a block of code, in heights of a line. */
const emptyLines = 3

/** Marks a first paragraph that continues the last one of the page before. */
function withJoint(blocks: Block[], groups: readonly PlacedGroup[], before: PlacedGroup | undefined): Block[] {
  const [block, ...others] = blocks
  const [group] = groups
  const [row] = group?.rows ?? []
  const last = before?.rows.at(-1)
  if (block?.kind !== 'paragraph' || !group || !row || !last) return blocks
  if (!continuesParagraph(before, group, Math.min(...groups.map(({ chunk }) => chunk.left)))) return blocks
  return [{ ...block, joined: lineJoint(rowText(last), rowText(row)) }, ...others]
}

/** Whether the text of one group goes on in the next, which stands elsewhere; `left` is where unindented lines begin. */
function continuesParagraph(
  before: PlacedGroup | undefined,
  { rows, marker, level, isCode }: Group,
  left: number,
): boolean {
  const last = before?.rows.at(-1)
  const [row] = rows
  if (before?.isCode || isCode) return false
  if (!last || !row || before?.level !== undefined || level !== undefined || marker !== '') return false
  if (last.cells.length > 1 || row.cells.length > 1 || endsSentence.test(rowText(last))) return false
  const isIndented = row.x - left > 0.8 * row.height
  const isSameSize = Math.max(row.height, last.height) < 1.3 * Math.min(row.height, last.height)
  return !isIndented && isSameSize && !isShort(last, row, before?.chunk.right ?? 0)
}
