import type { TableColumn } from '#shared/tables.ts'
import type { ByteReader } from '../archives/bytes.ts'
import { readZip, streamEntry } from '../archives/zip.ts'
import { Unconvertible } from '../converter.ts'
import { tableLimits, type TableWriter } from './table-writer.ts'
import { readAttribute, readXml, type XmlHandler } from './xml-events.ts'

/**
 * Reads the cells of an OpenDocument spreadsheet as they are shown in it. Sheets, rows and columns that are hidden, and
 * what lies outside of the print ranges, are left out: no page shows them either.
 */
export async function readOdsTable(input: ByteReader, writer: TableWriter): Promise<void> {
  const entry = (await readZip(input)).find(({ name }) => name === 'content.xml')
  if (!entry) throw new Unconvertible('damaged', 'ods: no content')
  await readXml(streamEntry(input, entry), odsHandler(writer))
}

/** Their text is no cell's value. */
const skipped = new Set([
  'office:annotation',
  'office:forms',
  'table:shapes',
  'table:dde-links',
  'table:tracked-changes',
  'office:event-listeners',
])

const defaultWidth = 80
const widthRange = { min: 48, max: 480 }
/** The table view's font is a little wider than that of most sheets, and its cells have more padding. */
const widthAllowance = { factor: 1.1, pixels: 10 }
const maxRepeat = 2 ** 20

interface Cell {
  text: string
  hasParagraph: boolean
  repeat: number
  columnSpan: number
  rowSpan: number
}

interface Row {
  values: string[]
  repeat: number
  isHidden: boolean
  /** Column, height and width of merged cells. */
  merges: [column: number, rows: number, columns: number][]
}

/** From the first to the last row and column that is printed. */
interface PrintArea {
  top: number
  left: number
  bottom: number
  right: number
}

interface Sheet {
  name: string
  area: PrintArea | undefined
  columns: { width: number; isHidden: boolean }[]
  hasStarted: boolean
  isSkipped: boolean
  /** In the file, with hidden rows. */
  nextRow: number
  /** As shown. */
  shownRows: number
}

function odsHandler(writer: TableWriter): XmlHandler {
  const widths = new Map<string, number>()
  const hiddenStyles = new Set<string>()
  let style = { name: '', family: '' }
  let skipDepth = 0
  let sheet: Sheet | undefined
  let row: Row | undefined
  let cell: Cell | undefined
  let isInText = false

  const append = (text: string) => {
    if (cell && cell.text.length <= tableLimits.cellLength) cell.text += text
  }
  const startSheet = (tag: string) => {
    const isPrinted = readAttribute(tag, 'table:print') !== 'false'
    sheet = {
      name: readAttribute(tag, 'table:name') ?? '',
      area: parsePrintRanges(readAttribute(tag, 'table:print-ranges') ?? ''),
      columns: [],
      hasStarted: false,
      isSkipped: !isPrinted || hiddenStyles.has(readAttribute(tag, 'table:style-name') ?? ''),
      nextRow: 0,
      shownRows: 0,
    }
  }
  const addColumns = (tag: string, { columns }: Sheet) => {
    const width = widths.get(readAttribute(tag, 'table:style-name') ?? '') ?? defaultWidth
    const isHidden = (readAttribute(tag, 'table:visibility') ?? 'visible') !== 'visible'
    const repeat = readRepeat(tag, 'table:number-columns-repeated')
    for (let count = 0; count < repeat && columns.length < tableLimits.columns * 4; count += 1)
      columns.push({ width, isHidden })
  }
  const isShownColumn = ({ area, columns }: Sheet, column: number) =>
    !columns[column]?.isHidden && (!area || (column >= area.left && column <= area.right))
  const start = (sheet: Sheet) => {
    if (sheet.hasStarted || sheet.isSkipped) return
    sheet.hasStarted = true
    const columns: TableColumn[] = sheet.columns.flatMap(({ width }, number) =>
      isShownColumn(sheet, number) ? [{ number, width }] : [],
    )
    if (!writer.startSheet({ name: sheet.name, columns: columns.slice(0, tableLimits.columns) })) sheet.isSkipped = true
    else if (sheet.area && sheet.area.top > 0) writer.skipRows(sheet.area.top)
  }
  const endCell = (sheet: Sheet, row: Row, { text, repeat, columnSpan, rowSpan }: Cell) => {
    if (columnSpan > 1 || rowSpan > 1) {
      const from = row.values.length
      const last = Math.min(from + columnSpan, tableLimits.columns * 4)
      let shownWidth = 0
      for (let column = from; column < last; column += 1) if (isShownColumn(sheet, column)) shownWidth += 1
      row.merges.push([from, rowSpan, shownWidth])
    }
    // An empty cell is often repeated to the last column that a sheet can have.
    const count = Math.min(repeat, tableLimits.columns * 4 - row.values.length)
    for (let index = 0; index < count; index += 1) row.values.push(text)
  }
  const endRow = async (sheet: Sheet, { values, repeat, isHidden, merges }: Row) => {
    start(sheet)
    const [first, end] = [sheet.nextRow, sheet.nextRow + repeat]
    sheet.nextRow = end
    if (sheet.isSkipped || writer.isFull()) return
    const { area } = sheet
    const shown = Math.min(end, area ? area.bottom + 1 : end) - Math.max(first, area?.top ?? 0)
    if (shown <= 0) return
    if (isHidden) return writer.skipRows(shown)
    const columns = values.map((_, column) => column).filter((column) => isShownColumn(sheet, column))
    for (const [column, height, width] of merges) {
      const shownColumn = columns.indexOf(column)
      if (shownColumn >= 0) writer.addMerge([sheet.shownRows, shownColumn, height, width])
    }
    await writer.addRow(
      columns.map((column) => values[column] ?? ''),
      shown,
    )
    sheet.shownRows += shown
  }

  return {
    open: (name, tag) => {
      // A table in a table is a form of split cell that no program writes any more.
      if (skipDepth > 0 || skipped.has(name) || name.startsWith('draw:') || (sheet && name === 'table:table')) {
        skipDepth += 1
        return
      }
      if (name === 'style:style') {
        style = { name: readAttribute(tag, 'style:name') ?? '', family: readAttribute(tag, 'style:family') ?? '' }
      } else if (name === 'style:table-column-properties') {
        const width = toPixels(readAttribute(tag, 'style:column-width') ?? '')
        if (width !== undefined) widths.set(style.name, width)
      } else if (name === 'style:table-properties' && readAttribute(tag, 'table:display') === 'false') {
        hiddenStyles.add(style.name)
      } else if (name === 'table:table') startSheet(tag)
      if (!sheet) return
      if (name === 'table:table-column') addColumns(tag, sheet)
      else if (name === 'table:table-row') {
        const isHidden = (readAttribute(tag, 'table:visibility') ?? 'visible') !== 'visible'
        row = { values: [], repeat: readRepeat(tag, 'table:number-rows-repeated'), isHidden, merges: [] }
      } else if (row && (name === 'table:table-cell' || name === 'table:covered-table-cell')) {
        cell = {
          text: '',
          hasParagraph: false,
          repeat: readRepeat(tag, 'table:number-columns-repeated'),
          columnSpan: readRepeat(tag, 'table:number-columns-spanned'),
          rowSpan: readRepeat(tag, 'table:number-rows-spanned'),
        }
      } else if (cell && name === 'text:p') {
        if (cell.hasParagraph) append('\n')
        cell.hasParagraph = true
        isInText = true
      } else if (name === 'text:s') append(' '.repeat(Math.min(100, readRepeat(tag, 'text:c'))))
      else if (name === 'text:tab') append('\t')
      else if (name === 'text:line-break') append('\n')
    },
    close: (name) => {
      if (skipDepth > 0) {
        skipDepth -= 1
        return undefined
      }
      if (name === 'text:p') isInText = false
      else if (sheet && row && cell && (name === 'table:table-cell' || name === 'table:covered-table-cell')) {
        // What merged cells cover is not shown.
        endCell(sheet, row, name === 'table:covered-table-cell' ? { ...cell, text: '' } : cell)
        cell = undefined
      } else if (sheet && row && name === 'table:table-row') {
        const ended = row
        row = undefined
        return endRow(sheet, ended)
      } else if (sheet && name === 'table:table') {
        const { hasStarted } = sheet
        sheet = undefined
        if (hasStarted) return writer.endSheet()
      }
      return undefined
    },
    text: (text) => {
      if (isInText && skipDepth === 0) append(text.replace(/[\r\n]+/g, ' '))
    },
  }
}

function readRepeat(tag: string, name: string): number {
  const count = Number(readAttribute(tag, name) ?? 1)
  return Number.isInteger(count) && count > 0 ? Math.min(count, maxRepeat) : 1
}

const pixelsPerUnit: Record<string, number> = { in: 96, cm: 96 / 2.54, mm: 96 / 25.4, pt: 96 / 72, pc: 16, px: 1 }

function toPixels(length: string): number | undefined {
  const [, value, unit = ''] = /^([\d.]+)(in|cm|mm|pt|pc|px)$/.exec(length) ?? []
  const pixels = Number(value) * (pixelsPerUnit[unit] ?? 0)
  if (!(pixels > 0)) return undefined
  const { factor, pixels: padding } = widthAllowance
  return Math.min(widthRange.max, Math.max(widthRange.min, Math.round(pixels * factor + padding)))
}

/** What encloses all ranges, which read `Sheet.A1:Sheet.D20`, with a space between them. */
function parsePrintRanges(ranges: string): PrintArea | undefined {
  const areas = Array.from(
    ranges.matchAll(/\$?([A-Z]{1,3})\$?(\d{1,7}):[^:\s]*?\.\$?([A-Z]{1,3})\$?(\d{1,7})(?=\s|$)/g),
    ([, left = '', top = '', right = '', bottom = '']) => ({
      top: Number(top) - 1,
      left: columnNumber(left),
      bottom: Number(bottom) - 1,
      right: columnNumber(right),
    }),
  )
  const [first] = areas
  if (!first) return undefined
  return areas.reduce(
    (area, next) => ({
      top: Math.min(area.top, next.top),
      left: Math.min(area.left, next.left),
      bottom: Math.max(area.bottom, next.bottom),
      right: Math.max(area.right, next.right),
    }),
    first,
  )
}

function columnNumber(letters: string): number {
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
