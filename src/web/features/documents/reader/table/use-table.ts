import { useCallback, useMemo, useState } from 'react'
import type { ReadableIndex, TableSheet } from '#shared/tables.ts'
import { normalizeWords } from '#web/features/documents/reader/find/find-api.ts'
import { widthRange } from '#web/features/documents/reader/table/column-headers.tsx'
import { createRows } from '#web/features/documents/reader/table/rows.ts'
import { selectCell, type Selection } from '#web/features/documents/reader/table/selection.ts'
import { type FoundCell, useCellFind } from '#web/features/documents/reader/table/use-cell-find.ts'

interface TableOptions {
  document: { id: number; attachment: { hash: string } }
  index: ReadableIndex
  /** To search for, from the address. */
  words: string
  isFinding: boolean
}

export type TableState = ReturnType<typeof useTable>

const firstCell = selectCell({ row: 0, column: 0 })

/** The sheet that is shown, with its own selection and widths; and the search through all sheets. */
export function useTable({ document, index, words: initialWords, isFinding }: TableOptions) {
  const key = document.attachment.hash
  const rows = useMemo(() => createRows(key, index.rowsPerSlice), [key, index.rowsPerSlice])
  const [sheetId, setSheetId] = useState(index.sheets[0]?.id ?? 0)
  const [selections, setSelections] = useState<ReadonlyMap<number, Selection>>(new Map())
  const [chosenWidths, setChosenWidths] = useState<ReadonlyMap<number, ReadonlyMap<number, number>>>(new Map())
  const [words, setWords] = useState(() => normalizeWords(initialWords))
  const sheet = index.sheets.find(({ id }) => id === sheetId) ?? index.sheets[0] ?? noSheet
  const selection = clamp(selections.get(sheet.id) ?? firstCell, sheet)

  const select = useCallback(
    (id: number, next: Selection) => setSelections((before) => new Map(before).set(id, next)),
    [],
  )
  const goTo = ({ sheet: id, row, column }: FoundCell) => {
    setSheetId(id)
    select(id, selectCell({ row, column }))
  }
  const find = useCellFind({
    id: document.id,
    words: isFinding ? words : '',
    version: key,
    from: { sheet: sheet.id, ...selection.active },
    onFound: goTo,
  })
  const { cells } = find
  const hits = useMemo(
    () => new Set(cells.filter((cell) => cell.sheet === sheet.id).map(({ row, column }) => `${row}:${column}`)),
    [cells, sheet.id],
  )
  const widths = useMemo(
    () => sheet.columns.map(({ width }, column) => chosenWidths.get(sheet.id)?.get(column) ?? width),
    [sheet, chosenWidths],
  )
  const setWidth = (column: number, width: number) =>
    setChosenWidths((before) => {
      const limited = Math.round(Math.min(widthRange.max, Math.max(widthRange.min, width)))
      return new Map(before).set(sheet.id, new Map(before.get(sheet.id)).set(column, limited))
    })
  return {
    rows,
    sheet,
    setSheetId,
    selection,
    setSelection: (next: Selection) => select(sheet.id, next),
    widths,
    setWidth,
    words,
    setWords,
    find,
    hits,
    currentHit: find.current?.sheet === sheet.id ? find.current : undefined,
  }
}

const noSheet: TableSheet = { id: 0, name: '', rows: 0, columns: [], gaps: [], merges: [], isCut: false }

/** A preview may have become shorter. */
function clamp(selection: Selection, { rows, columns }: TableSheet): Selection {
  const fit = ({ row, column }: Selection['active']) => ({
    row: Math.max(0, Math.min(row, rows - 1)),
    column: Math.max(0, Math.min(column, columns.length - 1)),
  })
  const isInside = ({ row, column }: Selection['active']) => row < rows && column < columns.length
  if (isInside(selection.anchor) && isInside(selection.active)) return selection
  return { anchor: fit(selection.anchor), active: fit(selection.active) }
}
