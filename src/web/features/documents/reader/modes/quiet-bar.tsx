import { Ellipsis, Minimize2 } from 'lucide-react'
import type { ReaderState } from '#web/features/documents/reader/pages/use-reader.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

interface QuietBarProps {
  reader: ReaderState
  pages: number
  onMore: () => void
  onClose: () => void
}

/** In focus mode, in place of the toolbar: how far one is, and the way back. */
export function QuietBar({ reader: { current, preview }, pages, onMore, onClose }: QuietBarProps) {
  return (
    <div
      role="toolbar"
      aria-label="专注阅读"
      className="fixed bottom-4 left-1/2 z-30 flex -translate-x-1/2 items-center overflow-hidden rounded-full border border-line bg-surface/90 pl-4 text-sm text-muted tabular-nums opacity-70 shadow-soft transition-opacity focus-within:opacity-100 hover:opacity-100"
    >
      <span className="whitespace-nowrap">
        {current} / {pages}
      </span>
      <IconButton label="更多" data-panel-button onClick={onMore}>
        <Ellipsis size={18} aria-hidden />
      </IconButton>
      <IconButton label="退出专注" onClick={onClose}>
        <Minimize2 size={16} aria-hidden />
      </IconButton>
      <span
        aria-hidden
        style={{ transform: `scaleX(${preview > 1 ? (current - 1) / (preview - 1) : 1})` }}
        className="absolute inset-x-0 bottom-0 h-0.5 origin-left bg-accent"
      />
    </div>
  )
}
