import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { normalizeWords } from '#web/features/documents/reader/find/find-api.ts'
import { FindForm } from '#web/features/documents/reader/find/find-form.tsx'
import { FindNotes, HitCount } from '#web/features/documents/reader/find/find-result.tsx'
import type { HitPosition } from '#web/features/documents/reader/find/highlights.ts'
import { visibleArea } from '#web/features/documents/reader/pages/viewport.ts'
import { paint } from '#web/features/documents/reader/reflow/highlight-paint.ts'
import { scrollToPosition, type TextView } from '#web/features/documents/reader/reflow/marks.ts'
import { findRanges, readPages, type PageLetters } from '#web/features/documents/reader/reflow/text-ranges.ts'
import { useTextFind } from '#web/features/documents/reader/reflow/use-text-find.ts'
import { Spinner } from '#web/ui/feedback/spinner.tsx'

interface TextFindProps {
  id: number
  view: TextView
  /** Changes when text comes or goes. */
  content: unknown
  current: number
  /** The rest of the document is not searched. */
  isPartial: boolean
  /** Each new one moves the focus here. */
  openRequests: number
  onGo: (page: number) => void
  onClose: () => void
  /** The download button: hits beyond the preview are in the file. */
  download: ReactNode
}

const debounceMs = 200

/** Finds words in the whole document, and marks them in its text. */
export function TextFind(props: TextFindProps) {
  const { id, view, content, current, isPartial, openRequests, onGo, onClose, download } = props
  const [typed, setTyped] = useState('')
  const [isComposing, setIsComposing] = useState(false)
  const find = useTextFind(id, current)
  const { words, result, position, search } = find
  useMarkedHits({ words: result?.words ?? '', position, view, content, onGo })
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (openRequests === 0) return
    input.current?.focus({ preventScroll: true })
    input.current?.select()
  }, [openRequests])
  const searchIfChanged = useEffectEvent((next: string) => {
    if (next !== words) search(next)
  })
  useEffect(() => {
    if (isComposing) return undefined
    const timer = setTimeout(() => searchIfChanged(normalizeWords(typed)), debounceMs)
    return () => clearTimeout(timer)
  }, [typed, isComposing])
  const submit = () => {
    if (normalizeWords(typed) !== words || find.problem) search(normalizeWords(typed))
    else if (!find.isSearching) find.step(1)
  }
  return (
    <FindForm
      label="在文字版中查找"
      placeholder="在文字版中查找"
      input={input}
      typed={typed}
      onTyped={setTyped}
      onComposing={setIsComposing}
      count={find.isSearching ? <Spinner size={14} /> : <HitCount {...find} isPartial={isPartial} />}
      hasNoHits={find.total === 0}
      onSubmit={submit}
      onStep={find.step}
      onClose={onClose}
    >
      <FindNotes result={result} problem={find.problem} download={download} />
    </FindForm>
  )
}

interface MarkedHits extends Pick<TextFindProps, 'view' | 'content' | 'onGo'> {
  words: string
  position: HitPosition | undefined
}

/** Marks the hits of the pages that are loaded, and goes to the current one: at once, or when its page is loaded. */
function useMarkedHits({ words, position, view, content, onGo }: MarkedHits): void {
  /** The hit that was gone to last: a reader who scrolls on is not moved back. */
  const shown = useRef<HitPosition>(undefined)
  const asked = useRef<HitPosition>(undefined)
  const mark = useEffectEvent((_causes: unknown[]) => {
    const column = view.column.current
    const pages = column && words !== '' ? readPages(column) : []
    const marked = pages.map((page) => ({ page: page.page, ranges: rangesOf(words, page) }))
    const page = marked.find((candidate) => candidate.page === position?.page)
    const now = position && (page?.ranges[position.hit] ?? page?.ranges.at(-1))
    paint(
      'found',
      marked.flatMap(({ ranges }) => ranges),
    )
    paint('found-now', now ? [now] : [])
    if (!position || shown.current === position) return
    if (now && column) {
      shown.current = position
      showRange(view, column, now)
    } else if (asked.current !== position) {
      asked.current = position
      onGo(position.page)
      // The page has the words where they are no part of the text, as in its head or foot.
      if (page) shown.current = position
    }
  })
  useEffect(() => mark([words, position, content]), [words, position, content])
  useEffect(
    () => () => {
      paint('found', [])
      paint('found-now', [])
    },
    [],
  )
}

/** In the order of the text. Words with a blank between them are looked for each by itself too. */
function rangesOf(words: string, page: PageLetters): Range[] {
  const whole = findRanges(page, words)
  if (whole.length > 0 || !/\s/.test(words)) return whole
  const each = words.split(/\s+/).flatMap((word) => findRanges(page, word))
  return each.toSorted((a, b) => a.compareBoundaryPoints(Range.START_TO_START, b))
}

/** The find bar covers part of the text. */
const margin = 72

/** A third of the screen below the toolbar, unless it is in sight already. */
function showRange(view: TextView, column: HTMLElement, range: Range): void {
  const { top, bottom } = visibleArea(view.frame.current, column, view.full)
  const box = range.getBoundingClientRect()
  const y = box.top - column.getBoundingClientRect().top
  if (y < top + margin || y + box.height > bottom - margin) scrollToPosition(view, y - (bottom - top) / 3)
}
