/** The cells of a spreadsheet as the table view reads them: an index, and slices of rows. */

export interface TableIndex {
  /** A slice is named by its number, so that rows are read without reading all. */
  rowsPerSlice: number
  sheets: TableSheet[]
}

/** Rows and columns are counted as they are shown: what the author has hidden is not there. */
export interface TableSheet {
  /** Names its slices. */
  id: number
  name: string
  rows: number
  columns: TableColumn[]
  /** Hidden rows, by the row that they stand before: numbers of rows skip them. */
  gaps: HiddenRows[]
  merges: MergedCells[]
  /** The sheet has more rows or columns, or longer cells, than are kept. */
  isCut: boolean
}

export interface TableColumn {
  /** 0 is column A. */
  number: number
  /** In CSS pixels. */
  width: number
}

export type HiddenRows = readonly [before: number, count: number]
export type MergedCells = readonly [row: number, column: number, rows: number, columns: number]

/** What a reader gets of it. */
export interface ReadableIndex extends TableIndex {
  /** Only the rows that stand on the pages of the preview. */
  isPreview: boolean
}

/** The cells of each row, without the empty ones at its end. */
export type TableRow = readonly string[]
