import { ChevronDown, ChevronUp, Search, X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { normalizeWords } from '#web/features/documents/reader/find/find-api.ts'
import type { useCellFind } from '#web/features/documents/reader/table/use-cell-find.ts'
import { Spinner } from '#web/ui/feedback/spinner.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'

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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (normalizeWords(typed) === words) find.step(1)
    else onWords(normalizeWords(typed))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && event.shiftKey) find.step(-1)
    else return
    event.preventDefault()
  }
  const hasNoHits = find.cells.length === 0
  return (
    <search
      aria-label="在表格中查找"
      className="absolute z-10 flex flex-col bg-surface max-md:inset-0 max-md:justify-center max-md:pb-[env(safe-area-inset-bottom)] md:top-full md:right-0 md:mt-2 md:w-[25rem] md:animate-appear md:rounded-md md:border md:border-line md:shadow-soft"
    >
      <form onSubmit={submit} className="flex items-center pr-1 pl-3">
        <Search size={18} aria-hidden className="shrink-0 text-muted" />
        <input
          ref={input}
          aria-label="要查找的文字"
          placeholder="在所有工作表中查找"
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
          onCompositionStart={() => setIsComposing(true)}
          onCompositionEnd={() => setIsComposing(false)}
          className="h-12 min-w-0 flex-1 bg-[transparent] px-2 text-base text-ink outline-none placeholder:text-muted md:text-sm"
        />
        <output aria-live="polite" className="shrink-0 px-1 text-sm whitespace-nowrap text-muted tabular-nums">
          {find.isSearching ? <Spinner size={14} /> : <Count find={find} isPreview={isPreview} />}
        </output>
        <IconButton label="上一处" disabled={hasNoHits} onClick={() => find.step(-1)}>
          <ChevronUp size={20} aria-hidden />
        </IconButton>
        <IconButton label="下一处" disabled={hasNoHits} onClick={() => find.step(1)}>
          <ChevronDown size={20} aria-hidden />
        </IconButton>
        <IconButton label="关闭查找" onClick={onClose}>
          <X size={18} aria-hidden />
        </IconButton>
      </form>
      {find.problem !== '' && (
        <p
          role="alert"
          className="border-t border-line bg-surface px-3 py-2 text-sm text-muted max-md:absolute max-md:inset-x-0 max-md:bottom-full"
        >
          {find.problem}
        </p>
      )}
    </search>
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
