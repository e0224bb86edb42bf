import { Trash2 } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState, type CSSProperties } from 'react'
import { noteLimits, type Annotation } from '#shared/contract/reading.ts'
import { type HighlightColor } from '#shared/enums.ts'
import { ColorButtons } from '#web/features/documents/reader/notes/color-buttons.tsx'
import { storeColor } from '#web/features/documents/reader/notes/highlight-colors.ts'
import { changeAnnotation, deleteAnnotation, edit, isEditing } from '#web/features/documents/reader/notes/marks.ts'
import { errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** What was written and is not saved, by annotation: the editor may be gone when saving fails. */
const unsaved = new Map<number, string>()

interface NoteEditorProps {
  annotation: Annotation
  /** Where the view shows the highlight. */
  findBoxes: (id: number) => readonly DOMRect[]
}

/** Colour and note of a highlight. What was written is saved however the editor is closed. */
export function NoteEditor({ annotation, findBoxes }: NoteEditorProps) {
  const [note, setNote] = useState(() => unsaved.get(annotation.id) ?? annotation.note)
  const [busy, setBusy] = useState(false)
  const [place] = useState(() => placeNear(findBoxes(annotation.id)))
  const panel = useRef<HTMLDivElement>(null)
  const opener = useRef<Element | null>(null)
  const run = async (action: () => Promise<void>) => {
    setBusy(true)
    try {
      await action()
      return true
    } catch (error) {
      const isOpen = isEditing(annotation.id)
      toast(
        isOpen ? errorMessage(error, '没有保存成功，请稍后重试') : '没有保存成功，再打开这条笔记时内容还在',
        'danger',
      )
      return false
    } finally {
      setBusy(false)
    }
  }
  const save = (color: HighlightColor) =>
    run(async () => {
      await changeAnnotation(annotation, { color, note: note.trim() })
      // More may have been written meanwhile.
      if (unsaved.get(annotation.id) === note) unsaved.delete(annotation.id)
    })
  const write = (text: string) => {
    setNote(text)
    unsaved.set(annotation.id, text)
  }
  const close = useEffectEvent(async () => {
    if (note.trim() !== annotation.note && !(await save(annotation.color))) return
    // Another note may have been opened meanwhile.
    if (!isEditing(annotation.id)) return
    edit(0)
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
  })
  useEffect(() => {
    const inside = panel.current
    opener.current = document.activeElement
    inside?.querySelector('textarea')?.focus({ preventScroll: true })
    const press = (event: PointerEvent) => {
      if (!(event.target instanceof Node) || !inside?.contains(event.target)) void close()
    }
    const key = (event: KeyboardEvent) => {
      // Escape and Enter belong to the input method.
      if (event.isComposing) return
      if (event.key !== 'Escape' && !(event.key === 'Enter' && (event.ctrlKey || event.metaKey))) return
      event.preventDefault()
      void close()
    }
    document.addEventListener('pointerdown', press)
    document.addEventListener('keydown', key, true)
    return () => {
      document.removeEventListener('pointerdown', press)
      document.removeEventListener('keydown', key, true)
    }
  }, [])
  return (
    <div
      ref={panel}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- not modal, and beside what it is about
      role="dialog"
      aria-label="高亮和笔记"
      style={place}
      className="fixed z-46 flex animate-appear flex-col gap-2 rounded-lg border border-line bg-surface p-3 text-sm shadow-soft max-md:inset-x-2 max-md:bottom-2 md:top-(--editor-top) md:left-(--editor-left) md:w-80"
    >
      <blockquote className="line-clamp-3 border-l-2 border-line pl-2.5 text-muted">{annotation.quote}</blockquote>
      <textarea
        aria-label="笔记"
        value={note}
        maxLength={noteLimits.note}
        rows={4}
        placeholder="写下您的想法，只有自己看得到"
        onChange={(event) => write(event.target.value)}
        className="w-full resize-y rounded-md border border-line bg-canvas px-3 py-2 text-base text-ink placeholder:text-muted focus:border-accent focus:outline-1 focus:-outline-offset-1 focus:outline-accent md:text-sm"
      />
      <div className="-mx-1 flex items-center">
        <ColorButtons
          chosen={annotation.color}
          onChoose={(color) => {
            storeColor(color)
            void save(color)
          }}
        />
        <button
          type="button"
          aria-label="删除"
          title="删除"
          onClick={() => void run(() => deleteAnnotation(annotation))}
          className="ml-auto flex size-10 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-danger"
        >
          <Trash2 size={16} aria-hidden />
        </button>
        <Button size="sm" variant="primary" busy={busy} onClick={() => void close()}>
          完成
        </Button>
      </div>
    </div>
  )
}

const size = { width: 320, height: 240 }
const gap = 8

/** Below the highlight if there is room, else above it; in the middle if its page is not rendered. */
function placeNear(boxes: readonly DOMRect[]): CSSProperties {
  const { innerWidth, innerHeight } = window
  const bottom = boxes.at(-1)?.bottom ?? (innerHeight - size.height) / 2
  const top = boxes[0]?.top ?? bottom
  const left = boxes[0]?.left ?? (innerWidth - size.width) / 2
  const y = bottom + gap + size.height < innerHeight ? bottom + gap : top - gap - size.height
  const style = {
    '--editor-top': `${Math.max(gap, Math.min(y, innerHeight - size.height - gap))}px`,
    '--editor-left': `${Math.max(gap, Math.min(left, innerWidth - size.width - gap))}px`,
  }
  return style as CSSProperties
}
