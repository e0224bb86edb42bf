import { Copy, NotebookPen } from 'lucide-react'
import { useState, type CSSProperties } from 'react'
import { Link, useLocation } from 'react-router'
import type { HighlightColor } from '#shared/enums.ts'
import { loginPath, pathOf } from '#web/domain/guard-rules.ts'
import { ColorButtons } from '#web/features/documents/reader/notes/color-buttons.tsx'
import { lastColor } from '#web/features/documents/reader/notes/highlight-colors.ts'
import { storeDraft } from '#web/features/documents/reader/notes/pending-draft.ts'
import type { TextSelection } from '#web/features/documents/reader/notes/use-selection.ts'
import { copyText } from '#web/lib/browser/copy-text.ts'
import { saveIntent } from '#web/lib/login-intent.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

interface SelectionBarProps {
  documentId: number
  isMember: boolean
  selection: TextSelection
  onHighlight: (color: HighlightColor) => void
  onNote: () => void
  onDone: () => void
}

/** What can be done with the selected text. */
export function SelectionBar({ documentId, isMember, selection, onHighlight, onNote, onDone }: SelectionBarProps) {
  /** What a visitor has asked for. */
  const [wanted, setWanted] = useState<MarkRequest>()
  const copy = async () => {
    const isCopied = await copyText(selection.selected.map(({ quote }) => quote).join('\n'))
    toast(isCopied ? '已复制' : '没有复制成功，请按 Ctrl+C 复制', isCopied ? 'success' : 'danger')
    if (isCopied) onDone()
  }
  return (
    <div
      role="toolbar"
      tabIndex={-1}
      aria-label="标记选中的文字"
      data-notes-bar
      // The selection stays.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      style={placeNear(selection.area)}
      className="fixed z-46 flex h-12 w-max max-w-[calc(100vw-1rem)] animate-appear items-center rounded-lg border border-line bg-surface px-1 text-sm shadow-soft select-none max-md:bottom-20 max-md:left-1/2 max-md:-translate-x-1/2 md:top-(--bar-top) md:left-(--bar-left)"
    >
      {wanted === undefined ? (
        <>
          <ColorButtons onChoose={isMember ? onHighlight : (color) => setWanted({ color, hasNote: false })} />
          <span aria-hidden className="mx-1 h-6 border-l border-line" />
          <button
            type="button"
            onClick={isMember ? onNote : () => setWanted({ color: lastColor(), hasNote: true })}
            className={buttonClass}
          >
            <NotebookPen size={16} aria-hidden />
            笔记
          </button>
          <button type="button" onClick={() => void copy()} className={buttonClass}>
            <Copy size={16} aria-hidden />
            复制
          </button>
        </>
      ) : (
        <LogIn documentId={documentId} selection={selection} wanted={wanted} />
      )}
    </div>
  )
}

const buttonClass =
  'flex h-10 shrink-0 items-center gap-1.5 rounded-md px-2.5 whitespace-nowrap hover:bg-sunken max-[24rem]:px-2 max-[24rem]:[&>svg]:hidden'

interface MarkRequest {
  color: HighlightColor
  hasNote: boolean
}

/** What the visitor has selected is marked once they have logged in. */
function LogIn({
  documentId,
  selection,
  wanted: { color, hasNote },
}: { wanted: MarkRequest } & Pick<SelectionBarProps, 'documentId' | 'selection'>) {
  const { pathname } = useLocation()
  const [first] = selection.selected
  const back = { pathname, search: `?page=${first?.page ?? 1}&view=pages` }
  const keep = () => {
    storeDraft({ document_id: documentId, color, has_note: hasNote, selected: [...selection.selected] })
    saveIntent('mark', documentId, { path: pathOf(back), why: '登录后可以保存高亮和笔记，选中的文字会为您标好' })
  }
  return (
    <p className="flex items-center gap-2 pl-3">
      {hasNote ? '登录后可以写笔记' : '登录后可以保存高亮'}
      <Link
        to={loginPath(back)}
        onClick={keep}
        className="inline-flex h-10 items-center rounded-md px-3 font-medium text-accent hover:bg-sunken"
      >
        去登录
      </Link>
    </p>
  )
}

const barHeight = 48
const barWidth = 340
const gap = 10
/** The header and the toolbar of the reader. */
const topEdge = 124

/** Above the selection, or below it where there is no room; on a phone at the bottom, as the system's own menu is above. */
function placeNear({ top, bottom, left, right }: TextSelection['area']): CSSProperties {
  const above = top - barHeight - gap
  const y = above >= topEdge ? above : Math.min(bottom + gap, window.innerHeight - barHeight - gap)
  const x = Math.min(Math.max(gap, (left + right) / 2 - barWidth / 2), window.innerWidth - barWidth - gap)
  return { '--bar-top': `${Math.max(topEdge, y)}px`, '--bar-left': `${x}px` } as CSSProperties
}
