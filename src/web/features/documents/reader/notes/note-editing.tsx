import { useEffect } from 'react'
import { attempt } from '#web/features/documents/reader/notes/attempt.ts'
import { dropDeleted, restoreDeleted, useMarks } from '#web/features/documents/reader/notes/marks.ts'
import { NoteEditor } from '#web/features/documents/reader/notes/note-editor.tsx'

interface NoteEditingProps {
  id: number
  /** Where the view shows a highlight; none if it does not. */
  findBoxes?: (id: number) => readonly DOMRect[]
}

/** The editor of a highlight and the offer to restore a deleted one, in every view that lists notes. */
export function NoteEditing({ id, findBoxes = findDrawn }: NoteEditingProps) {
  const marks = useMarks(id)
  const editing = marks.annotations.find((annotation) => annotation.id === marks.editing)
  return (
    <>
      {editing && <NoteEditor key={editing.id} annotation={editing} findBoxes={findBoxes} />}
      {marks.deleted && <Undo key={marks.deleted.id} hasNote={marks.deleted.note !== ''} />}
    </>
  )
}

function findDrawn(id: number): DOMRect[] {
  return [...document.querySelectorAll(`[data-annotation="${id}"]`)].map((box) => box.getBoundingClientRect())
}

const undoMs = 10_000

function Undo({ hasNote }: { hasNote: boolean }) {
  useEffect(() => {
    const timer = setTimeout(dropDeleted, undoMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <output className="fixed bottom-20 left-1/2 z-46 flex -translate-x-1/2 animate-appear items-center rounded-full border border-line bg-surface py-0.5 pr-3 pl-4 text-sm whitespace-nowrap shadow-soft md:bottom-6">
      {hasNote ? '笔记已删除' : '高亮已删除'}
      <button
        type="button"
        onClick={() => void attempt(restoreDeleted)}
        className="h-9 px-2 font-medium text-accent hover:underline"
      >
        撤销
      </button>
    </output>
  )
}
