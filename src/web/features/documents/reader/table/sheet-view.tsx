import { Copy } from 'lucide-react'
import { useId, useSyncExternalStore } from 'react'
import type { TableSheet } from '#shared/tables.ts'
import { cellAt, columnName, rowNumber, toTsv } from '#web/features/documents/reader/table/geometry.ts'
import { Grid } from '#web/features/documents/reader/table/grid.tsx'
import { selectedColumns, selectedRows, type Selection } from '#web/features/documents/reader/table/selection.ts'
import { SheetTabs } from '#web/features/documents/reader/table/sheet-tabs.tsx'
import type { TableState } from '#web/features/documents/reader/table/use-table.ts'
import { copyText } from '#web/lib/browser/copy-text.ts'
import { useWhenOnline } from '#web/lib/browser/online.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface SheetViewProps {
  table: TableState
  sheets: readonly TableSheet[]
  /** Loads the document again: the key of its files may have expired. */
  onRetry: () => void
}

const maxCopiedRows = 20_000

/** The cells of the selected sheet, the whole text of the active cell, and the tabs. */
export function SheetView({ table, sheets, onRetry }: SheetViewProps) {
  const { rows, sheet, selection } = table
  const panel = useId()
  useSyncExternalStore(rows.subscribe, rows.version, () => 0)
  const retry = () => {
    onRetry()
    rows.retry()
  }
  const copy = async () => {
    const [from, columns] = [selectedRows(selection), selectedColumns(selection)]
    const last = Math.min(from.last, from.first + maxCopiedRows - 1)
    try {
      const copied = await copyText(toTsv(await rows.load(sheet.id, from.first, last), columns))
      if (!copied) toast('复制失败，请重试')
      else toast(last < from.last ? `内容太多，已复制前 ${maxCopiedRows} 行` : '已复制')
    } catch {
      toast('有些行没有加载成功，请重试')
    }
  }
  const isSingle = sheets.length < 2
  return (
    <>
      <div
        {...(!isSingle && { role: 'tabpanel', id: panel, 'aria-labelledby': `${panel}-tab-${sheet.id}` })}
        className="flex min-h-0 flex-1 flex-col"
      >
        <Grid
          key={sheet.id}
          id={`${panel}-cells`}
          label={sheet.name}
          sheet={sheet}
          rows={rows}
          widths={table.widths}
          onWidth={table.setWidth}
          selection={selection}
          onSelection={table.setSelection}
          hits={table.hits}
          currentHit={table.currentHit}
          onCopy={() => void copy()}
        />
        {rows.hasFailed() && <FailedRows retry={retry} />}
        <ActiveCell table={table} onCopy={() => void copy()} />
      </div>
      {!isSingle && <SheetTabs sheets={sheets} selected={sheet.id} onSelect={table.setSheetId} panel={panel} />}
    </>
  )
}

/** Cells are clipped to their column: this is the whole text of the active one. */
function ActiveCell({ table, onCopy }: { table: TableState; onCopy: () => void }) {
  const { rows, sheet, selection } = table
  const cell = cellAt(sheet.merges, selection.active.row, selection.active.column)
  const text = rows.get(sheet.id, cell.row)?.[cell.column] ?? ''
  return (
    <div className="flex min-h-11 shrink-0 items-start border-t border-line bg-surface text-sm">
      <span className="min-w-16 shrink-0 border-r border-line px-2 py-3 text-center text-xs text-muted tabular-nums">
        {addressOf(sheet, selection)}
      </span>
      <textarea
        readOnly
        rows={1}
        aria-label="单元格的全文"
        value={text}
        className="field-sizing-content max-h-32 min-w-0 flex-1 resize-none bg-[transparent] px-3 py-2.5 break-words"
      />
      <IconButton label="复制所选单元格" onClick={onCopy}>
        <Copy size={16} aria-hidden />
      </IconButton>
    </div>
  )
}

function addressOf(sheet: TableSheet, selection: Selection): string {
  const [rows, columns] = [selectedRows(selection), selectedColumns(selection)]
  const name = (row: number, column: number) =>
    `${columnName(sheet.columns[column]?.number ?? column)}${rowNumber(sheet.gaps, row)}`
  const [first, last] = [name(rows.first, columns.first), name(rows.last, columns.last)]
  return first === last ? first : `${first}:${last}`
}

function FailedRows({ retry }: { retry: () => void }) {
  useWhenOnline(retry)
  return (
    <div
      role="alert"
      className="flex shrink-0 items-center gap-3 border-t border-line bg-warning-soft px-3 py-1.5 text-sm"
    >
      <span className="flex-1">有些行没有加载成功</span>
      <Button size="sm" onClick={retry}>
        重试
      </Button>
    </div>
  )
}
