import { ContentType, contentTypeLabels } from '#shared/enums.ts'
import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef, useState, type FormEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { ListState, Suggestions } from '#web/features/search/box/suggestions.tsx'
import { searchPath } from '#web/domain/paths.ts'
import { useSite } from '#web/domain/site.ts'
import { cx } from '#web/ui/class-names.ts'

interface SearchBoxProps {
  size?: 'md' | 'lg'
  /** The words of the current search. */
  words?: string
  /** Without it, articles on article pages and documents elsewhere. */
  type?: ContentType
  /** For a page that was opened to type a search. */
  takesFocus?: boolean
}

export function SearchBox({ size = 'md', words = '', type, takesFocus = false }: SearchBoxProps) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [text, setText] = useTextFor(words)
  const [isComposing, setIsComposing] = useState(false)
  const [list, setList] = useState(closed)
  const { suggestions, loadSuggestions } = useLazySuggestions()
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (takesFocus) input.current?.focus()
  }, [takesFocus])
  const readTyped = useEffectEvent(() => setText(input.current?.value ?? words))
  // Text typed before hydration.
  useEffect(() => readTyped(), [])
  const contentType = type ?? (isArticlePath(pathname) ? ContentType.Article : ContentType.Document)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    const to = searchPath(text.trim(), contentType)
    // The same search again is no new history entry.
    void navigate(to, { replace: to === pathname + search })
    hideKeyboard()
  }
  const large = size === 'lg'
  const label = `搜索${contentTypeLabels[contentType]}`
  return (
    <search className="block w-full">
      <form ref={form} action="/search" onSubmit={onSubmit} className="relative">
        <input type="hidden" name="type" value={contentType} />
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
          onFocus={loadSuggestions}
          onChange={(event) => {
            setText(event.target.value)
            loadSuggestions()
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
        {suggestions && (
          <suggestions.Suggestions
            id={id}
            form={form}
            text={text}
            type={contentType}
            isPaused={isComposing}
            onShow={setList}
            onPick={(row) => {
              setText(row.uuid === '' ? row.text : words)
              hideKeyboard()
            }}
            className={large ? 'w-full' : 'right-0 w-full md:w-88'}
          />
        )}
      </form>
    </search>
  )
}

const closed: ListState = { isShown: false, active: undefined }

/** Loaded when the visitor is about to type, as most pages are read without a search. */
function useLazySuggestions() {
  const { enable_suggest } = useSite().settings.search
  const [module, setModule] = useState<{ Suggestions: typeof Suggestions }>()
  const loadSuggestions = () => {
    if (!module && enable_suggest) void import('#web/features/search/box/suggestions.tsx').then(setModule, () => {})
  }
  return { suggestions: enable_suggest ? module : undefined, loadSuggestions }
}

/** The typed text; another search replaces it. */
function useTextFor(words: string): [string, (text: string) => void] {
  const [state, setState] = useState({ words, text: words })
  const current = state.words === words ? state : { words, text: words }
  if (current !== state) setState(current)
  return [current.text, (text) => setState({ words, text })]
}

/** On a touch screen the keyboard would cover the results. */
function hideKeyboard(): void {
  const { activeElement } = document
  if (matchMedia('(pointer: coarse)').matches && activeElement instanceof HTMLElement) activeElement.blur()
}

function isArticlePath(pathname: string): boolean {
  return pathname === '/article' || pathname.startsWith('/article/') || pathname === '/post'
}
