import { useEffect, useEffectEvent, useMemo } from 'react'
import type { Annotation } from '#shared/contract/reading.ts'
import { lastColor, storeColor } from '#web/features/documents/reader/notes/highlight-colors.ts'
import { annotate, edit, useMarks } from '#web/features/documents/reader/notes/marks.ts'
import { attempt } from '#web/features/documents/reader/notes/attempt.ts'
import { NoteEditing } from '#web/features/documents/reader/notes/note-editing.tsx'
import type { NotesProps } from '#web/features/documents/reader/notes/notes.tsx'
import { PageMarks } from '#web/features/documents/reader/notes/page-marks.tsx'
import { takeDraft } from '#web/features/documents/reader/notes/pending-draft.ts'
import { SelectionBar } from '#web/features/documents/reader/notes/selection-bar.tsx'
import { useBookmarkToggle } from '#web/features/documents/reader/notes/use-bookmark-toggle.ts'
import { usePageBoxes } from '#web/features/documents/reader/notes/use-page-boxes.ts'
import { useTextSelection } from '#web/features/documents/reader/notes/use-selection.ts'
import { useKeys } from '#web/features/documents/reader/toolbar/use-keys.ts'
import type { HighlightColor } from '#shared/enums.ts'
import { takeIntent } from '#web/lib/login-intent.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

const noAnnotations: readonly Annotation[] = []

/** Marks on the pages, the bar that adds them, and the editor of one. */
export function NotesLayer({ id, column, current }: NotesProps) {
  const isMember = isSignedIn(useSession())
  const marks = useMarks(id)
  const boxes = usePageBoxes(column)
  const { current: selection, clear } = useTextSelection(column)
  const byPage = useMemo(() => Map.groupBy(marks.annotations, ({ page }) => page), [marks.annotations])
  const isEditing = marks.annotations.some((annotation) => annotation.id === marks.editing)
  const toggle = useBookmarkToggle(id)
  useKeys({ b: () => void toggle(current) })
  const highlight = (color: HighlightColor, andEdit = false) =>
    attempt(async () => {
      if (!selection) return
      storeColor(color)
      const [first] = await annotate(id, selection.selected, { color })
      clear()
      if (andEdit && first) edit(first.id)
    })
  useDraft(id, isMember && marks.state === 'ready')
  useClicks(column)
  return (
    <>
      {isMember &&
        boxes.map((box) => (
          <PageMarks
            key={box.page}
            box={box}
            annotations={byPage.get(box.page) ?? noAnnotations}
            isCurrent={box.page === current}
            hasBookmark={marks.bookmarks.some(({ page }) => page === box.page)}
            onBookmark={() => void toggle(box.page)}
          />
        ))}
      {selection && !isEditing && (
        <SelectionBar
          documentId={id}
          isMember={isMember}
          selection={selection}
          onHighlight={(color) => void highlight(color)}
          onNote={() => void highlight(lastColor(), true)}
          onDone={clear}
        />
      )}
      <NoteEditing id={id} />
    </>
  )
}

/** What the member selected before they logged in. */
function useDraft(id: number, isReady: boolean): void {
  useEffect(() => {
    if (!isReady) return
    const draft = takeIntent('mark', id) ? takeDraft(id) : undefined
    if (!draft) return
    void attempt(async () => {
      const [first] = await annotate(id, draft.selected, draft)
      toast('已保存登录前选中的高亮')
      if (draft.has_note && first) edit(first.id)
    })
  }, [id, isReady])
}

/** Highlights let the mouse through, so that text can be selected: a click on one is found by its position. */
function useClicks(column: NotesProps['column']): void {
  const click = useEffectEvent(({ target, clientX, clientY }: MouseEvent) => {
    const pageBox = target instanceof Element && target.closest('[data-page]')
    if (!pageBox || window.getSelection()?.isCollapsed === false) return
    const hit = [...pageBox.querySelectorAll('[data-annotation]')].find((box) => {
      const { left, right, top, bottom } = box.getBoundingClientRect()
      return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom
    })
    if (hit) edit(Number(hit.getAttribute('data-annotation')))
  })
  useEffect(() => {
    const pages = column.current
    const onClick = (event: MouseEvent) => click(event)
    pages?.addEventListener('click', onClick)
    return () => pages?.removeEventListener('click', onClick)
  }, [column])
}
