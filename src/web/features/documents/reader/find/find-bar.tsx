import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { FindForm } from '#web/features/documents/reader/find/find-form.tsx'
import { type FindResult, normalizeWords } from '#web/features/documents/reader/find/find-api.ts'
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
      <Notes result={find.result} problem={find.problem} download={download} />
    </FindForm>
  )
}

interface HitCountProps extends Pick<ReturnType<typeof useFind>, 'result' | 'problem' | 'total' | 'currentNumber'> {
  /** The rest of the document is not searched. */
  isPartial: boolean
}

function HitCount({ result, problem, total, currentNumber, isPartial }: HitCountProps) {
  if (!result || problem) return null
  if (total === 0) return result.extraction ? null : isPartial ? '预览里没有' : '没有找到'
  return (
    <>
      <span aria-hidden>
        {currentNumber} / {total}
      </span>
      <span className="sr-only">
        第 {currentNumber} 处，共 {total} 处
      </span>
    </>
  )
}

interface NotesProps {
  result: FindResult | undefined
  problem: string
  download: ReactNode
}

/** Why the count may be incomplete. */
function Notes({ result, problem, download }: NotesProps) {
  const notes = problem ? [problem] : result ? describeResult(result) : []
  if (notes.length === 0) return null
  return (
    <div className="flex items-center gap-3 border-t border-line bg-surface px-3 py-2 text-sm text-muted max-md:absolute max-md:inset-x-0 max-md:bottom-full md:rounded-b-md">
      <p aria-live="polite" className="min-w-0 flex-1 tabular-nums">
        {notes.join('；')}
      </p>
      {!problem && result?.isBeyond && <div className="shrink-0">{download}</div>}
    </div>
  )
}

function describeResult({ isBeyond, extraction }: FindResult): string[] {
  const notes: string[] = []
  if (isBeyond) notes.push('预览之外的页里也有')
  if (extraction && extraction.pages === 0) notes.push('文档正在转换，完成后会自动查找')
  else if (extraction) notes.push(`正文还在读取（${extraction.read} / ${extraction.pages} 页），结果会自动补全`)
  return notes
}
