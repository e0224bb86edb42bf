import { Maximize, Minimize, Search } from 'lucide-react'
import { useMemo, useRef, type ReactNode, type RefObject } from 'react'
import type { ReadableIndex } from '#shared/tables.ts'
import { ToolbarDownload } from '#web/features/documents/download/download-button.tsx'
import { useFindBar } from '#web/features/documents/reader/find/use-find-bar.ts'
import type { ReaderProps } from '#web/features/documents/reader/page-reader.tsx'
import { useReadingPosition } from '#web/features/documents/reader/position/use-reading-position.ts'
import { FindField } from '#web/features/documents/reader/table/find-field.tsx'
import { loadIndex } from '#web/features/documents/reader/table/rows.ts'
import { SheetView } from '#web/features/documents/reader/table/sheet-view.tsx'
import { useTable } from '#web/features/documents/reader/table/use-table.ts'
import { ReaderActions } from '#web/features/documents/reader/toolbar/reader-actions.tsx'
import { useKeys } from '#web/features/documents/reader/toolbar/use-keys.ts'
import type { ReaderModeState } from '#web/features/documents/reader/toolbar/use-reader-mode.ts'
import { CommentsLink } from '#web/features/social/comments/comments-link.tsx'
import { useQuery } from '#web/lib/use-query.ts'
import { cx } from '#web/ui/class-names.ts'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Spinner } from '#web/ui/feedback/spinner.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'

interface TableReaderProps
  extends Pick<ReaderProps, 'document' | 'plan' | 'start' | 'find' | 'refresh' | 'children'>, ReaderModeState {
  /** Buttons of the toolbar that do not concern the table. */
  tools: ReactNode
}

/** The cells of a spreadsheet, with its sheets as tabs. */
export function TableReader(props: TableReaderProps) {
  const { document, plan, start, find, refresh, tools, mode, setMode, children } = props
  const key = document.attachment.hash
  const { data: index, error, isLoading, refetch } = useQuery(key, (signal) => loadIndex(key, signal))
  const full = mode !== 'page'
  const setFull = (next: boolean) => setMode(next ? 'full' : 'page')
  const frame = useRef<HTMLElement>(null)
  // A table has no pages: it counts as read, and opens at its beginning.
  useReadingPosition({ uuid: document.uuid, column: frame, current: 1, start, preview: plan.preview })
  const retry = () => {
    // The key in the address may have expired.
    refresh()
    refetch()
  }
  const content = { document, find, tools, full, setFull, frame }
  return (
    <section
      ref={frame}
      aria-label="文档正文"
      tabIndex={-1}
      className={cx('flex flex-col outline-none', full && 'fixed inset-0 z-45 bg-canvas')}
    >
      {index && index.sheets.length > 0 ? (
        <Table key={index.isPreview ? 'preview' : 'whole'} {...content} index={index} onRetry={retry} />
      ) : (
        <>
          <Toolbar {...content} summary="" onFind={undefined} isFinding={false} />
          <div className={frameClass(full)} aria-busy={!error}>
            {error ? (
              <ErrorState message="表格没有加载成功" retry={retry} busy={isLoading} />
            ) : (
              <p className="m-auto flex items-center gap-2 text-sm text-muted">
                <Spinner size={16} />
                正在打开表格
              </p>
            )}
          </div>
        </>
      )}
      {!full && <div className="mt-3">{children}</div>}
    </section>
  )
}

interface FrameProps extends Pick<TableReaderProps, 'document' | 'tools'> {
  full: boolean
  setFull: (full: boolean) => void
}

interface TableProps extends FrameProps {
  find: string
  index: ReadableIndex
  frame: RefObject<HTMLElement | null>
  onRetry: () => void
}

function Table({ index, find, onRetry, frame, ...bar }: TableProps) {
  const { document, full, setFull } = bar
  const findBar = useFindBar(frame, { isInitiallyOpen: find !== '' })
  const table = useTable({ document, index, words: find, isFinding: findBar.isOpen })
  const close = () => {
    table.setWords('')
    findBar.close()
  }
  useKeys({
    f: () => setFull(!full),
    '/': findBar.open,
    'mod+f': findBar.open,
    ...(findBar.isOpen ? { Escape: close } : full && { Escape: () => setFull(false) }),
  })
  const { sheet } = table
  const summary = `${sheet.rows.toLocaleString('zh-CN')} 行 × ${sheet.columns.length.toLocaleString('zh-CN')} 列`
  const note = describeLimits(index, sheet.isCut)
  const storeWords = (words: string) => {
    table.setWords(words)
    findBar.storeWords(words)
  }
  return (
    <>
      <Toolbar {...bar} summary={summary} onFind={findBar.isOpen ? close : findBar.open} isFinding={findBar.isOpen}>
        {findBar.isOpen && (
          <FindField
            find={table.find}
            words={table.words}
            onWords={storeWords}
            onClose={close}
            openRequests={findBar.openRequests}
            isPreview={index.isPreview}
          />
        )}
      </Toolbar>
      <div className={frameClass(full)}>
        {note !== '' && (
          <p className="shrink-0 border-b border-line bg-warning-soft px-3 py-1.5 text-sm text-ink">{note}</p>
        )}
        <SheetView table={table} sheets={index.sheets} onRetry={onRetry} />
      </div>
    </>
  )
}

/** What is not shown, and why. */
function describeLimits({ isPreview, sheets }: ReadableIndex, isCut: boolean): string {
  if (isPreview) {
    const rows = sheets.reduce((sum, sheet) => sum + sheet.rows, 0)
    return `预览显示前 ${rows.toLocaleString('zh-CN')} 行，与可预览的页面一致`
  }
  return isCut ? '表格很大，过多的行、列和过长的单元格没有全部显示，完整内容请看原文件' : ''
}

/** Always of the same height, so that nothing below it moves when the table is there. */
function frameClass(full: boolean): string {
  return cx(
    'flex flex-col overflow-hidden bg-surface',
    full
      ? 'min-h-0 flex-1'
      : 'mt-3 h-[calc(100svh-9rem)] min-h-96 border border-line max-md:-mx-4 max-md:border-x-0 md:mt-4 md:rounded-md',
  )
}

interface ToolbarProps extends FrameProps {
  summary: string
  /** Undefined while there is nothing to search. */
  onFind: (() => void) | undefined
  isFinding: boolean
  children?: ReactNode
}

/** Above the table; on a phone below it, in reach of the thumb. */
function Toolbar({ document, tools, full, setFull, summary, onFind, isFinding, children }: ToolbarProps) {
  const download = useMemo(() => <ToolbarDownload document={document} />, [document])
  return (
    <div
      role="toolbar"
      aria-label="阅读工具"
      data-reader-bar
      className={cx(
        'sticky z-30 order-last flex items-center gap-0.5 border-line bg-surface px-2 py-1 shadow-soft max-md:bottom-0 max-md:z-35 max-md:min-h-16 max-md:border-t max-md:pb-[max(0.25rem,env(safe-area-inset-bottom))] md:order-first md:rounded-md md:border',
        full ? 'md:top-0 md:rounded-none' : 'max-md:-mx-4 md:top-[calc(4rem+1px)]',
      )}
    >
      <p className="mr-auto min-w-0 truncate pl-2 text-sm text-muted tabular-nums">{summary}</p>
      {tools}
      <div className="flex items-center max-[22rem]:hidden">
        <ReaderActions document={document} page={undefined} />
      </div>
      <IconButton label="在表格中查找" aria-expanded={isFinding} disabled={!onFind} onClick={onFind}>
        <Search size={18} aria-hidden />
      </IconButton>
      <IconButton label={full ? '退出全屏' : '全屏'} aria-pressed={full} onClick={() => setFull(!full)}>
        {full ? <Minimize size={18} aria-hidden /> : <Maximize size={18} aria-hidden />}
      </IconButton>
      {!full && (
        <span className="max-md:hidden">
          <CommentsLink count={document.comment_count} />
        </span>
      )}
      <div className="ml-1 shrink-0">{download}</div>
      {children}
    </div>
  )
}
