import { ChevronDown, ChevronUp, Search, X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react'
import { type Found, wordsOf } from '#web/features/documents/reader/looked-for.ts'
import type { Marked } from '#web/features/documents/reader/marks.ts'
import type { Scene } from '#web/features/documents/reader/use-arrival.ts'
import { useFind } from '#web/features/documents/reader/use-find.ts'
import type { ReaderState } from '#web/features/documents/reader/use-reader.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

interface FindBarProps {
  id: number
  /** What an address asks for: these words, from this page on. */
  asked: { words: string; page: number } | undefined
  /** How often somebody has asked for it: each time it has the focus. */
  calls: number
  scene: Scene
  reader: ReaderState
  onMarked: (marked: Marked) => void
  /** What is looked for now. */
  onWords: (words: string) => void
  onClose: () => void
  /** The way to get the file. */
  action: ReactNode
}

const pauseMs = 200

/** Below the tools; on a phone in their place. */
export function FindBar({ id, asked, calls, scene, reader, onMarked, onWords, onClose, action }: FindBarProps) {
  const [typed, setTyped] = useState(asked?.words ?? '')
  const [isComposing, setIsComposing] = useState(false)
  const find = useFind({ id, words: wordsOf(asked?.words ?? ''), start: asked?.page, scene, reader, onMarked })
  const { words, look, step } = find
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (calls === 0) return
    input.current?.focus({ preventScroll: true })
    input.current?.select()
  }, [calls])
  const lookAgain = useEffectEvent((next: string) => {
    if (next !== words) look(next)
  })
  useEffect(() => {
    if (isComposing) return undefined
    const timer = setTimeout(() => lookAgain(wordsOf(typed)), pauseMs)
    return () => clearTimeout(timer)
  }, [typed, isComposing])
  useEffect(() => onWords(words), [onWords, words])

  const next = (event: FormEvent) => {
    event.preventDefault()
    if (wordsOf(typed) !== words || find.failed) look(wordsOf(typed))
    else if (!find.isLooking) step(1)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && event.shiftKey) step(-1)
    else return
    event.preventDefault()
  }
  const hasNone = find.total === 0
  return (
    <search
      aria-label="在文档中查找"
      className="absolute z-10 flex flex-col bg-surface max-md:inset-0 max-md:justify-center max-md:pb-[env(safe-area-inset-bottom)] md:top-full md:right-0 md:mt-2 md:w-[25rem] md:animate-appear md:rounded-md md:border md:border-line md:shadow-soft"
    >
      <form onSubmit={next} className="flex items-center pr-1 pl-3">
        <Search size={18} aria-hidden className="shrink-0 text-muted" />
        <input
          ref={input}
          aria-label="要查找的文字"
          placeholder="在文档中查找"
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
          {find.isLooking ? <Spinner size={14} /> : <Count {...find} />}
        </output>
        <IconButton label="上一处" disabled={hasNone} onClick={() => step(-1)}>
          <ChevronUp size={20} aria-hidden />
        </IconButton>
        <IconButton label="下一处" disabled={hasNone} onClick={() => step(1)}>
          <ChevronDown size={20} aria-hidden />
        </IconButton>
        <IconButton label="关闭查找" onClick={onClose}>
          <X size={18} aria-hidden />
        </IconButton>
      </form>
      <Notes found={find.found} failed={find.failed} hasNone={hasNone} action={action} />
    </search>
  )
}

type Counted = Pick<ReturnType<typeof useFind>, 'found' | 'failed' | 'total' | 'ordinal'>

function Count({ found, failed, total, ordinal }: Counted) {
  if (!found || failed) return null
  if (total === 0) return found.beyond > 0 || found.unread ? null : '没有找到'
  return (
    <>
      <span aria-hidden>
        {ordinal} / {total}
      </span>
      <span className="sr-only">
        第 {ordinal} 处，共 {total} 处
      </span>
    </>
  )
}

interface NotesProps {
  found: Found | undefined
  failed: string
  hasNone: boolean
  action: ReactNode
}

/** What the number alone would not say honestly. */
function Notes({ found, failed, hasNone, action }: NotesProps) {
  const notes = failed ? [failed] : found ? notesOf(found, hasNone) : []
  if (notes.length === 0) return null
  return (
    <div className="flex items-center gap-3 border-t border-line bg-surface px-3 py-2 text-sm text-muted max-md:absolute max-md:inset-x-0 max-md:bottom-full md:rounded-b-md">
      <p aria-live="polite" className="min-w-0 flex-1 tabular-nums">
        {notes.join('；')}
      </p>
      {!failed && found && found.beyond > 0 && <div className="shrink-0">{action}</div>}
    </div>
  )
}

function notesOf({ beyond, unread }: Found, hasNone: boolean): string[] {
  const notes: string[] = []
  if (beyond > 0) notes.push(`${hasNone ? '可预览的页里没有找到，' : ''}另有 ${beyond} 处在预览之外`)
  if (unread && unread.pages === 0) notes.push('文档正在转换，完成后会自动查找')
  else if (unread) notes.push(`正文还在读取（${unread.read} / ${unread.pages} 页），结果会自动补全`)
  return notes
}
