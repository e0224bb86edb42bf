import {
  ChevronDown,
  ChevronUp,
  Ellipsis,
  Maximize,
  Minimize,
  Minus,
  MoveHorizontal,
  PanelLeft,
  Plus,
  RectangleVertical,
  Search,
} from 'lucide-react'
import { useState, type FormEvent, type ReactNode } from 'react'
import { CommentsLink } from '#web/features/social/comments/comments-link.tsx'
import type { ReaderState } from '#web/features/documents/reader/pages/use-reader.ts'
import { cx } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface ToolbarProps {
  reader: ReaderState
  pages: number
  full: boolean
  onFull: () => void
  isSideOpen: boolean
  onSide: () => void
  isMoreOpen: boolean
  onMore: () => void
  isFinding: boolean
  onFind: () => void
  commentCount: number
  tools: ReactNode
  /** The commands for the document: on phones they are in the menu. */
  actions: ReactNode
  download: ReactNode
  children?: ReactNode
}

/**
 * Above the pages; on a phone below them, in reach of the thumb. Where it gets narrow for its text, commands leave it one
 * after the other: all of them are in the menu too.
 */
export function Toolbar(props: ToolbarProps) {
  const { reader, pages, full, onFull, isSideOpen, onSide, isMoreOpen, onMore, isFinding, onFind } = props
  const { commentCount, tools, actions, download, children } = props
  const { current, preview, zoom, percent, zoomIn, zoomOut, previous, next } = reader
  return (
    <div
      role="toolbar"
      aria-label="阅读工具"
      data-reader-bar
      className={cx(
        'sticky z-30 order-last max-md:z-35 flex flex-wrap items-center justify-end border-line bg-surface px-2 py-1 shadow-soft max-md:bottom-0 max-md:min-h-16 max-md:border-t max-md:pb-[max(0.25rem,env(safe-area-inset-bottom))] md:order-first md:rounded-md md:border print:hidden',
        full ? 'md:top-0 md:rounded-none' : 'max-md:-mx-4 md:top-[calc(4rem+1px)]',
      )}
    >
      <div className="@container min-w-0 flex-[1_1_12rem]">
        <div className="flex flex-wrap items-center justify-end gap-0.5 @min-[13rem]:flex-nowrap">
          <IconButton label="目录和缩略图" aria-expanded={isSideOpen} data-panel-button onClick={onSide}>
            <PanelLeft size={20} aria-hidden />
          </IconButton>
          <div className="flex items-center max-md:mx-auto md:mr-auto md:ml-2">
            <span className="max-md:hidden @max-[38rem]:hidden">
              <IconButton
                label="上一页"
                disabled={previous === undefined}
                onClick={() => previous !== undefined && reader.goTo(previous)}
              >
                <ChevronUp size={20} aria-hidden />
              </IconButton>
            </span>
            <PageField current={current} pages={pages} preview={preview} onGo={reader.goTo} />
            <span className="max-md:hidden @max-[38rem]:hidden">
              <IconButton
                label="下一页"
                disabled={next === undefined}
                onClick={() => next !== undefined && reader.goTo(next)}
              >
                <ChevronDown size={20} aria-hidden />
              </IconButton>
            </span>
          </div>
          <div className="flex items-center max-md:hidden @max-[46rem]:hidden">
            <IconButton
              label="缩小"
              disabled={zoomOut === undefined}
              onClick={() => zoomOut !== undefined && reader.setZoom(zoomOut)}
            >
              <Minus size={18} aria-hidden />
            </IconButton>
            <span className="w-12 text-center text-sm text-muted tabular-nums">{percent > 0 ? `${percent}%` : ''}</span>
            <IconButton
              label="放大"
              disabled={zoomIn === undefined}
              onClick={() => zoomIn !== undefined && reader.setZoom(zoomIn)}
            >
              <Plus size={18} aria-hidden />
            </IconButton>
          </div>
          <div className="flex items-center max-md:hidden @max-[52rem]:hidden">
            <IconButton label="适合宽度" aria-pressed={zoom === 'width'} onClick={() => reader.setZoom('width')}>
              <MoveHorizontal size={18} className={zoom === 'width' ? 'text-accent' : ''} aria-hidden />
            </IconButton>
            <IconButton label="适合整页" aria-pressed={zoom === 'page'} onClick={() => reader.setZoom('page')}>
              <RectangleVertical size={18} className={zoom === 'page' ? 'text-accent' : ''} aria-hidden />
            </IconButton>
          </div>
          <span className="flex items-center @max-[15.5rem]:hidden">{tools}</span>
          <IconButton label="在文档中查找" aria-expanded={isFinding} onClick={onFind}>
            <Search size={18} aria-hidden />
          </IconButton>
          <div className="flex items-center max-md:hidden @max-[34rem]:hidden">{actions}</div>
          <span className="max-md:hidden @max-[25rem]:hidden">
            <IconButton label={full ? '退出全屏' : '全屏'} aria-pressed={full} onClick={onFull}>
              {full ? <Minimize size={18} aria-hidden /> : <Maximize size={18} aria-hidden />}
            </IconButton>
          </span>
          <IconButton label="更多" aria-expanded={isMoreOpen} data-panel-button onClick={onMore}>
            <Ellipsis size={20} aria-hidden />
          </IconButton>
          {!full && (
            <span className="max-md:hidden @max-[28rem]:hidden">
              <CommentsLink count={commentCount} />
            </span>
          )}
        </div>
      </div>
      <div className="ml-1 shrink-0">{download}</div>
      {children}
    </div>
  )
}

interface PageFieldProps {
  current: number
  pages: number
  preview: number
  onGo: (page: number) => void
}

export function PageField({ current, pages, preview, onGo }: PageFieldProps) {
  const [typed, setTyped] = useState<string>()
  const go = (event: FormEvent) => {
    event.preventDefault()
    const page = Number(typed)
    setTyped(undefined)
    if (typed === undefined || typed === '' || !Number.isInteger(page) || page < 1) return
    if (page > preview && page <= pages) toast(`第 ${page} 页不在预览范围内，已到可预览的最后一页`)
    onGo(page)
  }
  return (
    <form onSubmit={go} className="flex items-center gap-1.5 text-sm whitespace-nowrap text-muted tabular-nums">
      <input
        aria-label={`页码，共 ${pages} 页`}
        inputMode="numeric"
        enterKeyHint="go"
        autoComplete="off"
        value={typed ?? String(current)}
        onChange={(event) => setTyped(event.target.value.replace(/\D/g, '').slice(0, 6))}
        onFocus={(event) => event.target.select()}
        onBlur={() => setTyped(undefined)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        style={{ width: `${Math.max(2, String(pages).length) + 2}ch` }}
        className="h-8 min-w-10 rounded-sm border border-line bg-canvas text-center text-base text-ink hover:border-edge focus:border-accent md:text-sm"
      />
      <span>/ {pages}</span>
    </form>
  )
}
