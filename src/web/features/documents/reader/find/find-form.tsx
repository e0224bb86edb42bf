import { ChevronDown, ChevronUp, Search, X } from 'lucide-react'
import type { FormEvent, KeyboardEvent, ReactNode, RefObject } from 'react'
import { IconButton } from '#web/ui/icon-button.tsx'

interface FindFormProps {
  label: string
  placeholder: string
  input: RefObject<HTMLInputElement | null>
  typed: string
  onTyped: (typed: string) => void
  /** Text that an input method still composes is not looked for. */
  onComposing: (isComposing: boolean) => void
  /** How many hits there are, or that they are looked for. */
  count: ReactNode
  hasNoHits: boolean
  onSubmit: () => void
  onStep: (direction: 1 | -1) => void
  onClose: () => void
  /** Below the field. */
  children: ReactNode
}

/** The field for words, the number of hits, and the way from one to the next: for pages and for tables. */
export function FindForm(props: FindFormProps) {
  const { label, placeholder, input, typed, onTyped, onComposing, count, hasNoHits, onStep, onClose, children } = props
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    props.onSubmit()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && event.shiftKey) onStep(-1)
    else return
    event.preventDefault()
  }
  return (
    <search
      aria-label={label}
      className="absolute z-10 flex flex-col bg-surface max-md:inset-0 max-md:justify-center max-md:pb-[env(safe-area-inset-bottom)] md:top-full md:right-0 md:mt-2 md:w-[25rem] md:animate-appear md:rounded-md md:border md:border-line md:shadow-soft"
    >
      <form onSubmit={onSubmit} className="flex items-center pr-1 pl-3">
        <Search size={18} aria-hidden className="shrink-0 text-muted" />
        <input
          ref={input}
          aria-label="要查找的文字"
          placeholder={placeholder}
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => onTyped(event.target.value)}
          onKeyDown={onKeyDown}
          onCompositionStart={() => onComposing(true)}
          onCompositionEnd={() => onComposing(false)}
          className="h-12 min-w-0 flex-1 bg-[transparent] px-2 text-base text-ink outline-none placeholder:text-muted md:text-sm"
        />
        <output aria-live="polite" className="shrink-0 px-1 text-sm whitespace-nowrap text-muted tabular-nums">
          {count}
        </output>
        <IconButton label="上一处" disabled={hasNoHits} onClick={() => onStep(-1)}>
          <ChevronUp size={20} aria-hidden />
        </IconButton>
        <IconButton label="下一处" disabled={hasNoHits} onClick={() => onStep(1)}>
          <ChevronDown size={20} aria-hidden />
        </IconButton>
        <IconButton label="关闭查找" onClick={onClose}>
          <X size={18} aria-hidden />
        </IconButton>
      </form>
      {children}
    </search>
  )
}
