import { type FileHandle, open } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import type { HiddenRows, MergedCells, TableColumn, TableSheet } from '#shared/tables.ts'
import { footerBytes, type StoredIndex } from './table-file.ts'

export interface TableLimits {
  sheets: number
  rows: number
  columns: number
  /** Of the whole table. */
  cells: number
  bytes: number
  cellLength: number
}

export const tableLimits: TableLimits = {
  sheets: 200,
  rows: 200_000,
  columns: 1000,
  cells: 4e6,
  bytes: 64e6,
  cellLength: 4000,
}

const rowsPerSlice = 200
const maxNameLength = 100
const maxGaps = 20_000
const maxMerges = 2000

export interface NewSheet {
  name: string
  /** Of each column that is shown; more columns than this have the last width. */
  columns: readonly TableColumn[]
}

/** Writes a table row by row, within its limits; a sheet that exceeds them is cut and says so. */
export interface TableWriter {
  /** False when there are sheets enough: its rows are not to be added. */
  startSheet(sheet: NewSheet): boolean
  addRow(values: readonly string[], repeat?: number): Promise<void>
  /** Rows that the author has hidden. */
  skipRows(count: number): void
  /** The first row and column as shown, the height with hidden rows. */
  addMerge(cells: MergedCells): void
  /** No more rows of this sheet are kept. */
  isFull(): boolean
  endSheet(): Promise<void>
}

export async function writeTable(
  path: string,
  write: (writer: TableWriter) => Promise<void>,
  limits = tableLimits,
): Promise<void> {
  const file = await open(path, 'w')
  try {
    await writeTo(file, write, limits)
  } finally {
    await file.close()
  }
}

interface OpenSheet extends Omit<TableSheet, 'id'> {
  gaps: HiddenRows[]
  merges: MergedCells[]
  usedColumns: number
  offsets: number[]
}

async function writeTo(
  file: FileHandle,
  write: (writer: TableWriter) => Promise<void>,
  limits: TableLimits,
): Promise<void> {
  const sheets: OpenSheet[] = []
  const left = { cells: limits.cells, bytes: limits.bytes }
  let written = 0
  let current: OpenSheet | undefined
  let pending: string[] = []
  /** Empty rows count only if another row follows. */
  let blankRows = 0
  let isFull = false

  const put = async (bytes: Uint8Array) => {
    await file.write(bytes)
    written += bytes.length
  }
  const flush = async () => {
    if (pending.length === 0) return
    await put(gzipSync(`[${pending.join(',')}]`))
    current?.offsets.push(written)
    pending = []
  }
  /** False when the sheet is full. */
  const pushRow = async (json: string, cells: number): Promise<boolean> => {
    if (!current || isFull) return false
    isFull = current.rows >= limits.rows || left.cells < cells || left.bytes < json.length
    if (isFull) {
      current.isCut = true
      return false
    }
    left.cells -= cells
    left.bytes -= json.length
    current.rows += 1
    pending.push(json)
    if (pending.length === rowsPerSlice) await flush()
    return true
  }
  const writer: TableWriter = {
    startSheet: ({ name, columns }) => {
      if (sheets.length >= limits.sheets) return false
      ;[blankRows, isFull] = [0, false]
      const header = { name: name.slice(0, maxNameLength).toWellFormed(), columns: [...columns] }
      current = { ...header, rows: 0, gaps: [], merges: [], isCut: false, usedColumns: 0, offsets: [written] }
      sheets.push(current)
      return true
    },
    addRow: async (values, repeat = 1) => {
      if (!current) return
      const cells = trimRow(values)
      if (cells.length === 0) {
        blankRows += repeat
        return
      }
      while (blankRows > 0 && (await pushRow('[]', 0))) blankRows -= 1
      const kept = cells.slice(0, limits.columns).map((text) => shorten(text, limits.cellLength))
      if (cells.length > limits.columns || kept.some((text, index) => text !== cells[index])) current.isCut = true
      current.usedColumns = Math.max(current.usedColumns, kept.length)
      const json = JSON.stringify(kept)
      for (let count = 0; count < repeat; count += 1) if (!(await pushRow(json, kept.length))) break
    },
    skipRows: (count) => {
      const before = (current?.rows ?? 0) + blankRows
      const last = current?.gaps.at(-1)
      if (last?.[0] === before) current?.gaps.splice(-1, 1, [before, last[1] + count])
      else if (current && current.gaps.length < maxGaps) current.gaps.push([before, count])
    },
    addMerge: (cells) => {
      if (current && current.merges.length < maxMerges) current.merges.push(cells)
    },
    isFull: () => isFull,
    endSheet: async () => {
      await flush()
      current = undefined
    },
  }
  await write(writer)
  const stored = sheets.filter(({ rows }) => rows > 0)
  const index: StoredIndex = {
    index: { rowsPerSlice, sheets: stored.map((sheet, id) => toSheet(sheet, id)) },
    offsets: stored.map(({ offsets }) => offsets),
  }
  const packed = gzipSync(JSON.stringify(index))
  await put(packed)
  const footer = Buffer.alloc(footerBytes)
  footer.writeUInt32LE(packed.length)
  await put(footer)
}

const defaultWidth = 80

/** Only columns that have a value in some row, and what concerns rows that are kept. */
function toSheet({ name, rows, columns, usedColumns, gaps, merges, isCut }: OpenSheet, id: number): TableSheet {
  const last = columns.at(-1) ?? { number: -1, width: defaultWidth }
  return {
    id,
    name,
    rows,
    columns: Array.from(
      { length: usedColumns },
      (_, index) => columns[index] ?? { number: last.number + 1 + index - columns.length, width: last.width },
    ),
    gaps: gaps.filter(([before]) => before < rows),
    merges: merges.flatMap(([row, column, height, width]) => {
      const hidden = gaps.reduce(
        (sum, [before, count]) => (before > row && before < row + height ? sum + count : sum),
        0,
      )
      const fitHeight = Math.min(Math.max(1, height - hidden), rows - row)
      const fitWidth = Math.min(width, usedColumns - column)
      return fitHeight > 0 && fitWidth > 0 && fitHeight * fitWidth > 1 ? [[row, column, fitHeight, fitWidth]] : []
    }),
    isCut,
  }
}

function trimRow(values: readonly string[]): readonly string[] {
  let length = values.length
  while (length > 0 && values[length - 1] === '') length -= 1
  return length === values.length ? values : values.slice(0, length)
}

function shorten(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`
}
