import { Bookmark as BookmarkIcon, MessageSquareText } from 'lucide-react'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Annotation } from '#shared/contract/reading.ts'
import { locate, partsOf } from '#web/features/documents/reader/notes/anchor.ts'
import { markClasses } from '#web/features/documents/reader/notes/highlight-colors.ts'
import { edit } from '#web/features/documents/reader/notes/marks.ts'
import { boxesOf, linesOf, type Box } from '#web/features/documents/reader/notes/page-text.ts'
import type { RenderedPage } from '#web/features/documents/reader/notes/use-page-boxes.ts'
import { cx } from '#web/ui/class-names.ts'

interface PageMarksProps {
  box: RenderedPage
  annotations: readonly Annotation[]
  isCurrent: boolean
  hasBookmark: boolean
  onBookmark: () => void
}

/** Highlights over the text of a page, and the ribbon of its bookmark. */
export function PageMarks(props: PageMarksProps) {
  const { box, annotations, isCurrent, hasBookmark, onBookmark } = props
  const { page, element } = box
  const drawn = useDrawn(box, annotations)
  return createPortal(
    <div data-notes className="pointer-events-none absolute inset-0 z-2 overflow-hidden">
      {drawn.map(({ annotation, boxes }) => (
        <Highlight key={annotation.id} annotation={annotation} boxes={boxes} />
      ))}
      <button
        type="button"
        aria-pressed={hasBookmark}
        aria-label={`第 ${page} 页的书签`}
        title={hasBookmark ? '取消书签（B）' : '加书签（B）'}
        onClick={onBookmark}
        className={cx(
          'pointer-events-auto absolute top-0 right-[3%] flex h-11 w-10 items-start justify-center transition-opacity focus-visible:opacity-100 in-[figure:hover]:opacity-100',
          hasBookmark ? 'text-[#c2410c]' : 'text-[#6b7280]',
          !hasBookmark && (isCurrent ? 'opacity-60' : 'opacity-0'),
        )}
      >
        <BookmarkIcon size={26} className="-mt-0.5" fill={hasBookmark ? 'currentColor' : 'none'} aria-hidden />
      </button>
    </div>,
    element,
  )
}

function Highlight({ annotation, boxes }: Drawn) {
  const { id, quote, color, note } = annotation
  const last = boxes.at(-1)
  if (!last) return null
  return (
    <>
      {boxes.map((box) => (
        <span
          key={`${box.top} ${box.left}`}
          data-annotation={id}
          style={toStyle(box)}
          className={cx('absolute rounded-[1px]', markClasses[color])}
        />
      ))}
      {/* The highlight itself leaves the mouse to the text below it. */}
      <button
        type="button"
        aria-label={`${note ? '笔记' : '高亮'}：${quote.slice(0, 40)}`}
        title={note || undefined}
        onClick={() => edit(id)}
        style={{ left: `${last.left + last.width}%`, top: `${last.top}%` }}
        className={cx(
          'absolute flex size-6 -translate-x-1/3 -translate-y-4/5 items-center justify-center rounded-full text-[#9a3412] focus-visible:opacity-100',
          note ? 'pointer-events-auto' : 'opacity-0',
        )}
      >
        <MessageSquareText size={12} className="rounded-[2px] bg-[#fff]/85" aria-hidden />
      </button>
    </>
  )
}

interface Drawn {
  annotation: Annotation
  boxes: readonly Box[]
}

/** Those whose text is on the page, where the browser has drawn it. */
function useDrawn(box: RenderedPage, annotations: readonly Annotation[]): readonly Drawn[] {
  const [drawn, setDrawn] = useState<readonly Drawn[]>([])
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const next = draw(box.element, annotations)
      setDrawn((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next))
    })
    return () => cancelAnimationFrame(frame)
  }, [box, annotations])
  return drawn
}

function draw(element: Element, annotations: readonly Annotation[]): Drawn[] {
  const lines = annotations.length > 0 ? linesOf(element) : []
  return annotations.flatMap((annotation) => {
    const range = locate(lines, annotation)
    return range ? { annotation, boxes: boxesOf(element, partsOf(lines, range)) } : []
  })
}

function toStyle({ left, top, width, height }: Box) {
  return { left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` }
}
