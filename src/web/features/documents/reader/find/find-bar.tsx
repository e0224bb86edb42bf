import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { FindForm } from '#web/features/documents/reader/find/find-form.tsx'
import { normalizeWords } from '#web/features/documents/reader/find/find-api.ts'
import { FindNotes, HitCount } from '#web/features/documents/reader/find/find-result.tsx'
import type { HighlightState } from '#web/features/documents/reader/find/highlights.ts'
import { useFind } from '#web/features/documents/reader/find/use-find.ts'
import type { ReaderElements } from '#web/features/documents/reader/find/use-scroll-to-hit.ts'
import type { ReaderState } from '#web/features/documents/reader/pages/use-reader.ts'
import { Spinner } from '#web/ui/feedback/spinner.tsx'

interface FindBarProps {
  id: number
  /** The words and the start page of the address. */
  initial: { words: string; page: number } | undefined
  /** Each new one moves the focus here. */
  openRequests: number
  elements: ReaderElements
  reader: ReaderState
  /** Of the whole document. */
  pages: number
  onHighlights: (state: HighlightState) => void
  onWords: (words: string) => void
  onClose: () => void
  /** The download button: hits beyond the preview are in the file. */
  download: ReactNode
}

const debounceMs = 200

/** Below the toolbar; on a phone in its place. */
export function FindBar(props: FindBarProps) {
  const { id, initial, openRequests, elements, reader, pages, onHighlights, onWords, onClose, download } = props
  const [typed, setTyped] = useState(initial?.words ?? '')
  const [isComposing, setIsComposing] = useState(false)
  const initialWords = normalizeWords(initial?.words ?? '')
  const find = useFind({ id, initialWords, start: initial?.page, elements, reader, onHighlights })
  const { words, search, step } = find
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
  useEffect(() => onWords(words), [onWords, words])

  const submit = () => {
    if (normalizeWords(typed) !== words || find.problem) search(normalizeWords(typed))
    else if (!find.isSearching) step(1)
  }
  const hasNoHits = find.total === 0
  return (
    <FindForm
      label="在文档中查找"
      placeholder="在文档中查找"
      input={input}
      typed={typed}
      onTyped={setTyped}
      onComposing={setIsComposing}
      count={find.isSearching ? <Spinner size={14} /> : <HitCount {...find} isPartial={reader.preview < pages} />}
      hasNoHits={hasNoHits}
      onSubmit={submit}
      onStep={step}
      onClose={onClose}
    >
      <FindNotes result={find.result} problem={find.problem} download={download} />
    </FindForm>
  )
}
