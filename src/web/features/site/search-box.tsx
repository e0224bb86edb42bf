import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef, useState, type FormEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Suggestions } from '#web/features/site/suggest/suggestions.tsx'
import { searchPath } from '#web/lib/search-path.ts'
import { useSite } from '#web/lib/site.ts'
import { cx } from '#web/ui/class-names.ts'

interface SearchBoxProps {
  size?: 'md' | 'lg'
  /** What was looked for. */
  words?: string
  type?: 0 | 1
  /** The page was opened to type here. */
  takesFocus?: boolean
}

/** Looks for articles among the articles, for documents everywhere else. */
export function SearchBox({ size = 'md', words = '', type, takesFocus = false }: SearchBoxProps) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [text, setText] = useFollowing(words)
  const [isComposing, setIsComposing] = useState(false)
  const [list, setList] = useState(closed)
  const { part, fetchPart } = useSuggestionPart()
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (takesFocus) input.current?.focus()
  }, [takesFocus])
  const keepTyped = useEffectEvent(() => setText(input.current?.value ?? words))
  // Somebody may have typed before the page answered.
  useEffect(() => keepTyped(), [])
  const kind = type ?? (isArticlePath(pathname) ? 1 : 0)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    const to = searchPath(text.trim(), kind)
    // Asked twice, it is one step back all the same.
    void navigate(to, { replace: to === pathname + search })
    putKeyboardAway()
  }
  const large = size === 'lg'
  const label = kind === 1 ? '搜索文章' : '搜索文档'
  return (
    <search className="block w-full">
      <form ref={form} action="/search" onSubmit={onSubmit} className="relative">
        <input type="hidden" name="type" value={kind} />
        <input
          ref={input}
          type="text"
          name="wd"
          role="combobox"
          aria-expanded={list.isShown}
          aria-autocomplete="list"
          aria-controls={list.isShown ? id : undefined}
          aria-activedescendant={list.active}
          value={text}
          maxLength={200}
          autoComplete="off"
          inputMode="search"
          enterKeyHint="search"
          aria-label={label}
          placeholder={label}
          onFocus={fetchPart}
          onChange={(event) => {
            setText(event.target.value)
            fetchPart()
          }}
          onCompositionStart={() => setIsComposing(true)}
          onCompositionEnd={() => setIsComposing(false)}
          className={cx(
            'w-full rounded-md border bg-surface text-base text-ink transition-colors placeholder:text-muted focus:border-accent focus:outline-2 focus:-outline-offset-1 focus:outline-accent',
            large
              ? 'h-14 border-edge pr-16 pl-5 shadow-soft md:text-lg'
              : 'h-10 border-line pr-10 pl-3.5 hover:border-edge md:text-sm',
          )}
        />
        <button
          type="submit"
          aria-label="搜索"
          className={cx(
            'absolute inset-y-0 right-0 flex items-center justify-center rounded-md',
            large ? 'm-1.5 w-12 bg-accent text-on-accent hover:bg-accent-hover' : 'w-10 text-muted hover:text-accent',
          )}
        >
          <Search size={large ? 20 : 16} aria-hidden />
        </button>
        {part && (
          <part.Suggestions
            id={id}
            form={form}
            text={text}
            type={kind}
            isPaused={isComposing}
            onShow={setList}
            onPick={(row) => {
              setText(row.uuid === '' ? row.text : words)
              putKeyboardAway()
            }}
            className={large ? 'w-full' : 'right-0 w-full md:w-88'}
          />
        )}
      </form>
    </search>
  )
}

/** What the list below the box shows of itself. */
export interface ListState {
  isShown: boolean
  /** The id of the row that the arrow keys have come to. */
  active: string | undefined
}

const closed: ListState = { isShown: false, active: undefined }

/** Most pages are read without a search: what suggests words comes when somebody is about to type, or not at all. */
function useSuggestionPart() {
  const { enable_suggest } = useSite().settings.search
  const [part, setPart] = useState<{ Suggestions: typeof Suggestions }>()
  const fetchPart = () => {
    if (!part && enable_suggest) void import('#web/features/site/suggest/suggestions.tsx').then(setPart, () => {})
  }
  return { part: enable_suggest ? part : undefined, fetchPart }
}

/** What is typed, until something else has been looked for. */
function useFollowing(words: string): [string, (text: string) => void] {
  const [state, setState] = useState({ words, text: words })
  const current = state.words === words ? state : { words, text: words }
  if (current !== state) setState(current)
  return [current.text, (text) => setState({ words, text })]
}

/** On a touch screen it would cover what was found. */
function putKeyboardAway(): void {
  const { activeElement } = document
  if (matchMedia('(pointer: coarse)').matches && activeElement instanceof HTMLElement) activeElement.blur()
}

function isArticlePath(pathname: string): boolean {
  return pathname === '/article' || pathname.startsWith('/article/') || pathname === '/post'
}
