import { AArrowDown, AArrowUp, ALargeSmall, Ellipsis, Maximize, Minimize, PanelLeft, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { CommentsLink } from '#web/features/social/comments/comments-link.tsx'
import {
  maxSize,
  minSize,
  setTypography,
  stepSize,
  useTypography,
} from '#web/features/documents/reader/reflow/typography.ts'
import { PageField } from '#web/features/documents/reader/toolbar/toolbar.tsx'
import { cx } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

export type TextPanel = 'side' | 'typography' | 'more'

interface ReflowToolbarProps {
  /** Its place stays free: the text does not move. On large screens it is always shown. */
  isHidden: boolean
  current: number
  pages: number
  preview: number
  onGo: (page: number) => void
  full: boolean
  onFull: () => void
  panel: TextPanel | undefined
  onPanel: (panel: TextPanel) => void
  isFinding: boolean
  onFind: () => void
  /** The commands for the document: on phones they are in the menu. */
  actions: ReactNode
  commentCount: number
  tools: ReactNode
  download: ReactNode
  children?: ReactNode
}

/** As the toolbar of pages, with the size of the text instead of the zoom. */
export function ReflowToolbar(props: ReflowToolbarProps) {
  const { isHidden, current, pages, preview, onGo, full, onFull, panel, onPanel, isFinding, onFind } = props
  const { commentCount, tools, actions, download, children } = props
  const { size } = useTypography()
  return (
    <div
      role="toolbar"
      aria-label="阅读工具"
      data-reader-bar
      className={cx(
        'sticky z-30 order-last flex items-center border-line bg-surface px-2 py-1 shadow-soft max-md:bottom-0 max-md:z-35 max-md:min-h-16 max-md:border-t max-md:pb-[max(0.25rem,env(safe-area-inset-bottom))] md:order-first md:rounded-md md:border print:hidden',
        full ? 'md:top-0 md:rounded-none' : 'max-md:-mx-4 md:top-[calc(4rem+1px)]',
        isHidden && 'max-md:invisible',
      )}
    >
      <div className="@container min-w-0 flex-1">
        <div className="flex flex-wrap items-center justify-end gap-0.5 @min-[13rem]:flex-nowrap">
          <IconButton
            label="目录和缩略图"
            aria-expanded={panel === 'side'}
            data-panel-button
            onClick={() => onPanel('side')}
          >
            <PanelLeft size={20} aria-hidden />
          </IconButton>
          <div className="max-md:mx-auto md:mr-auto md:ml-2">
            <PageField current={current} pages={pages} preview={preview} onGo={onGo} />
          </div>
          <div className="flex items-center max-md:hidden">
            <IconButton
              label="减小字号"
              disabled={size <= minSize}
              onClick={() => setTypography({ size: stepSize(size, -1) })}
            >
              <AArrowDown size={20} aria-hidden />
            </IconButton>
            <IconButton
              label="增大字号"
              disabled={size >= maxSize}
              onClick={() => setTypography({ size: stepSize(size, 1) })}
            >
              <AArrowUp size={20} aria-hidden />
            </IconButton>
          </div>
          <IconButton
            label="排版"
            aria-expanded={panel === 'typography'}
            data-panel-button
            onClick={() => onPanel('typography')}
          >
            <ALargeSmall size={20} aria-hidden />
          </IconButton>
          <span className="flex items-center @max-[15.5rem]:hidden">{tools}</span>
          <span className="max-md:hidden">
            <IconButton label="在文档中查找" aria-expanded={isFinding} onClick={onFind}>
              <Search size={18} aria-hidden />
            </IconButton>
          </span>
          <div className="flex items-center max-md:hidden @max-[36rem]:hidden">{actions}</div>
          <span className="max-md:hidden @max-[25rem]:hidden">
            <IconButton label={full ? '退出全屏' : '全屏'} aria-pressed={full} onClick={onFull}>
              {full ? <Minimize size={18} aria-hidden /> : <Maximize size={18} aria-hidden />}
            </IconButton>
          </span>
          {!full && (
            <span className="max-md:hidden @max-[28rem]:hidden">
              <CommentsLink count={commentCount} />
            </span>
          )}
          <span className="md:@min-[36rem]:hidden">
            <IconButton label="更多" aria-expanded={panel === 'more'} data-panel-button onClick={() => onPanel('more')}>
              <Ellipsis size={20} aria-hidden />
            </IconButton>
          </span>
        </div>
      </div>
      <div className="ml-1 shrink-0">{download}</div>
      {children}
    </div>
  )
}
