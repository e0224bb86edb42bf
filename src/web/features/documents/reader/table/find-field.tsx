import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { FindForm } from '#web/features/documents/reader/find/find-form.tsx'
import { normalizeWords } from '#web/features/documents/reader/find/find-api.ts'
import type { useCellFind } from '#web/features/documents/reader/table/use-cell-find.ts'
import { Spinner } from '#web/ui/feedback/spinner.tsx'

interface FindFieldProps {
  find: ReturnType<typeof useCellFind>
  words: string
  onWords: (words: string) => void
  onClose: () => void
  /** Each new one moves the focus here. */
  openRequests: number
  isPreview: boolean
}

const debounceMs = 200

/** Below the toolbar; on a phone in its place. */
export function FindField({ find, words, onWords, onClose, openRequests, isPreview }: FindFieldProps) {
  const [typed, setTyped] = useState(words)
  const [isComposing, setIsComposing] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (openRequests === 0) return
    input.current?.focus({ preventScroll: true })
    input.current?.select()
  }, [openRequests])
  const search = useEffectEvent((next: string) => onWords(next))
  useEffect(() => {
    if (isComposing) return undefined
    const timer = setTimeout(() => search(normalizeWords(typed)), debounceMs)
    return () => clearTimeout(timer)
  }, [typed, isComposing])
  const submit = () => {
    if (normalizeWords(typed) === words) find.step(1)
    else onWords(normalizeWords(typed))
  }
  const hasNoHits = find.cells.length === 0
  return (
    <FindForm
      label="在表格中查找"
      placeholder="在所有工作表中查找"
      input={input}
      typed={typed}
      onTyped={setTyped}
      onComposing={setIsComposing}
      count={find.isSearching ? <Spinner size={14} /> : <Count find={find} isPreview={isPreview} />}
      hasNoHits={hasNoHits}
      onSubmit={submit}
      onStep={find.step}
      onClose={onClose}
    >
      {find.problem !== '' && (
        <p
          role="alert"
          className="border-t border-line bg-surface px-3 py-2 text-sm text-muted max-md:absolute max-md:inset-x-0 max-md:bottom-full"
        >
          {find.problem}
        </p>
      )}
    </FindForm>
  )
}

function Count({ find, isPreview }: Pick<FindFieldProps, 'find' | 'isPreview'>) {
  if (!find.isDone) return null
  if (find.cells.length === 0) return isPreview ? '预览里没有' : '没有找到'
  const total = `${find.cells.length}${find.hasMore ? '+' : ''}`
  return (
    <>
      <span aria-hidden>
        {find.number} / {total}
      </span>
      <span className="sr-only">
        第 {find.number} 处，共 {total} 处
      </span>
    </>
  )
}
