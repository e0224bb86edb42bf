import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import type { Annotation } from '#shared/contract/reading.ts'
import type { HighlightColor } from '#shared/enums.ts'
import { attempt } from '#web/features/documents/reader/notes/attempt.ts'
import { highlightColors, lastColor, storeColor } from '#web/features/documents/reader/notes/highlight-colors.ts'
import { annotate, edit, useMarks } from '#web/features/documents/reader/notes/marks.ts'
import { NoteEditing } from '#web/features/documents/reader/notes/note-editing.tsx'
import type { Selected } from '#web/features/documents/reader/notes/page-text.ts'
import { SelectionBar } from '#web/features/documents/reader/notes/selection-bar.tsx'
import { useBookmarkToggle } from '#web/features/documents/reader/notes/use-bookmark-toggle.ts'
import { useTextSelection } from '#web/features/documents/reader/notes/use-selection.ts'
import { paint } from '#web/features/documents/reader/reflow/highlight-paint.ts'
import { lettersOf, occurrences } from '#web/features/documents/reader/reflow/letters.ts'
import { findMark, loadLines, toSelected, type PageLines } from '#web/features/documents/reader/reflow/page-lines.ts'
import { rangeAt, readPages, readQuotes } from '#web/features/documents/reader/reflow/text-ranges.ts'
import { useKeys } from '#web/features/documents/reader/toolbar/use-keys.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'

interface TextNotesProps {
  id: number
  /** The document's view key. */
  hash: string
  column: RefObject<HTMLElement | null>
  /** Changes when text comes or goes. */
  content: unknown
  /** The page that is read. */
  current: number
}

/** The member's highlights in the text, the bar that adds them, and the editor of one. */
export function TextNotes({ id, hash, column, content, current }: TextNotesProps) {
  const toggleBookmark = useBookmarkToggle(id)
  useKeys({ b: () => void toggleBookmark(current) })
  const isMember = isSignedIn(useSession())
  const { annotations, editing } = useMarks(id)
  const { current: selection, clear } = useTextSelection(column, readSelected)
  const painted = usePaintedMarks({ annotations, hash, column, content })
  useClicks(column, ({ clientX, clientY }) => {
    const isHit = ({ left, right, top, bottom }: DOMRect) =>
      clientX >= left && clientX <= right && clientY >= top && clientY <= bottom
    const hit = painted.current.find(({ range }) => [...range.getClientRects()].some(isHit))
    if (hit) edit(hit.annotation.id)
  })
  const findBoxes = (id: number) => [
    ...(painted.current.find(({ annotation }) => annotation.id === id)?.range.getClientRects() ?? []),
  ]
  const highlight = (color: HighlightColor, andEdit = false) =>
    attempt(async () => {
      const quotes = column.current ? readQuotes(column.current, window.getSelection()) : []
      storeColor(color)
      const selected = await Promise.all(
        quotes.map(async (quote) => toSelected(quote, await loadLines(hash, quote.page))),
      )
      const [first] = await annotate(id, selected, { color })
      clear()
      if (andEdit && first) edit(first.id)
    })
  const isEditing = annotations.some((annotation) => annotation.id === editing)
  return (
    <>
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
      <NoteEditing id={id} findBoxes={findBoxes} />
    </>
  )
}

function readSelected(column: Element, selection: Selection | null): Selected[] {
  return readQuotes(column, selection).map((quote) => toSelected(quote, undefined))
}

interface PaintedMarks extends Omit<TextNotesProps, 'id' | 'current'> {
  annotations: readonly Annotation[]
}

interface PaintedMark {
  annotation: Annotation
  range: Range
}

/** Where a page has the same words several times, its lines tell which of them are marked. */
function usePaintedMarks({ annotations, hash, column, content }: PaintedMarks) {
  const painted = useRef<readonly PaintedMark[]>([])
  const requested = useRef(new Set<number>())
  const [lines, setLines] = useState<ReadonlyMap<number, PageLines | undefined>>(new Map())
  const load = async (page: number) => {
    if (requested.current.has(page)) return
    requested.current.add(page)
    const loaded = await loadLines(hash, page)
    setLines((before) => new Map(before).set(page, loaded))
  }
  const repaint = useEffectEvent((_causes: unknown[]) => {
    const pages = column.current && annotations.length > 0 ? readPages(column.current) : []
    painted.current = annotations.flatMap((annotation) => {
      const page = pages.find((candidate) => candidate.page === annotation.page)
      const wanted = lettersOf(annotation.quote)
      const [first, second] = page ? occurrences(page.text, wanted) : []
      if (!page || first === undefined) return []
      const isKnown = second === undefined || lines.has(annotation.page)
      if (!isKnown) void load(annotation.page)
      const pageLines = second === undefined ? undefined : lines.get(annotation.page)
      const start = pageLines && findMark(annotation, pageLines, page.text)
      const range = isKnown ? rangeAt(page, start ?? first, wanted.length) : undefined
      return range ? [{ annotation, range }] : []
    })
    for (const color of highlightColors) {
      const marks = painted.current.filter(({ annotation }) => annotation.color === color)
      paint(
        `note-${color}`,
        marks.map(({ range }) => range),
      )
    }
    const noted = painted.current.filter(({ annotation }) => annotation.note !== '')
    paint(
      'noted',
      noted.map(({ range }) => range),
    )
  })
  useEffect(() => repaint([annotations, content, lines]), [annotations, content, lines])
  useEffect(
    () => () => {
      for (const color of highlightColors) paint(`note-${color}`, [])
      paint('noted', [])
    },
    [],
  )
  return painted
}

function useClicks(column: RefObject<HTMLElement | null>, onClick: (event: MouseEvent) => void): void {
  const click = useEffectEvent((event: MouseEvent) => {
    if (window.getSelection()?.isCollapsed !== false) onClick(event)
  })
  useEffect(() => {
    const text = column.current
    const listen = (event: MouseEvent) => click(event)
    text?.addEventListener('click', listen)
    return () => text?.removeEventListener('click', listen)
  }, [column])
}
