import { FileText, LetterText, Table2 } from 'lucide-react'
import type { ReaderView } from '#web/features/documents/reader/view/view-memory.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

const labels: Record<ReaderView, string> = { pages: '原版页面', text: '文字版', table: '表格' }

const icons = { pages: FileText, text: LetterText, table: Table2 }

interface ViewSwitchProps {
  view: ReaderView
  /** All that the document has. */
  views: readonly ReaderView[]
  onView: (view: ReaderView) => void
}

/** A button for each other view. */
export function ViewSwitch({ view, views, onView }: ViewSwitchProps) {
  return views
    .filter((other) => other !== view)
    .map((other) => {
      const Icon = icons[other]
      return (
        <IconButton key={other} label={labels[other]} onClick={() => onView(other)}>
          <Icon size={18} aria-hidden />
        </IconButton>
      )
    })
}
