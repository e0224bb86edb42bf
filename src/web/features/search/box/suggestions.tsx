import { ContentType } from '#shared/enums.ts'
import { Clock, Search, TrendingUp, X } from 'lucide-react'
import { useEffect, type RefObject } from 'react'
import { Link } from 'react-router'
import { documentKinds, getDocumentKind } from '#shared/document-kinds.ts'
import { clearRecentSearches, removeRecentSearch } from '#web/features/search/box/recent-searches.ts'
import type { SuggestionRow } from '#web/features/search/box/suggestion-rows.ts'
import { useListKeys } from '#web/features/search/box/use-list-keys.ts'
import { useEscape, useOpenList } from '#web/features/search/box/use-open-list.ts'
import { useSuggestionRows } from '#web/features/search/box/use-suggestion-rows.ts'
import { cx } from '#web/ui/class-names.ts'
import { MarkedText } from '#web/ui/marked-text.tsx'

/** What the input needs to know of the list below it. */
export interface ListState {
  isShown: boolean
  /** The id of the selected row. */
  active: string | undefined
}

interface SuggestionsProps {
  /** The id of the list, for the input's `aria-controls`. */
  id: string
  form: RefObject<HTMLFormElement | null>
  text: string
  type: ContentType
  /** While an input method is composing. */
  isPaused: boolean
  onShow: (state: ListState) => void
  onPick: (row: SuggestionRow) => void
  className: string
}

/** The list below the box: suggestions for the typed text, or recent and popular searches. */
export function Suggestions({ id, form, text, type, isPaused, onShow, onPick, className }: SuggestionsProps) {
  const [isOpen, setIsOpen] = useOpenList(form)
  const rows = useSuggestionRows({ text, type, isOpen: isOpen && !isPaused })
  const pick = (row: SuggestionRow) => {
    setIsOpen(false)
    onPick(row)
  }
  const { selected, select, isShown } = useListKeys({
    form,
    rows,
    isOpen: isOpen && !isPaused,
    setIsOpen,
    onPick: pick,
    onRemove: ({ text }) => removeRecentSearch(text, type),
  })
  useEscape(isShown, () => setIsOpen(false))
  const active = selected < 0 ? undefined : `${id}-${selected}`
  useEffect(() => onShow({ isShown, active }), [isShown, active, onShow])
  useEffect(() => {
    if (active) document.getElementById(active)?.scrollIntoView({ block: 'nearest' })
  }, [active])
  if (!isShown) return null
  const hasRecent = rows.some(({ from }) => from === 'recent')
  return (
    <div
      className={cx(
        'absolute top-full z-30 mt-1.5 max-h-[min(28rem,60dvh)] animate-appear overflow-y-auto rounded-lg border border-line bg-surface p-1.5 shadow-soft',
        className,
      )}
    >
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- what a datalist shows can be neither marked nor a link */}
      <div id={id} role="listbox" aria-label="搜索建议">
        {rows.map((row, index) => (
          <Link
            key={`${row.from} ${row.to}`}
            id={`${id}-${index}`}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as above
            role="option"
            aria-selected={index === selected}
            aria-keyshortcuts={row.from === 'recent' ? 'Delete' : undefined}
            tabIndex={-1}
            to={row.to}
            onPointerDown={keepFocus}
            onMouseDown={keepFocus}
            onPointerMove={() => index !== selected && select(index)}
            onClick={() => pick(row)}
            className={cx(
              'flex min-h-10 items-center gap-2.5 rounded-md px-2.5 py-2 text-sm',
              index === selected && 'bg-sunken',
            )}
          >
            <RowContent row={row} type={type} />
          </Link>
        ))}
      </div>
      {hasRecent && (
        <button
          type="button"
          onMouseDown={keepFocus}
          onClick={clearRecentSearches}
          className="mt-1 flex min-h-9 w-full items-center rounded-md px-2.5 text-left text-sm text-muted hover:text-accent"
        >
          清除最近搜索
        </button>
      )}
    </div>
  )
}

/** The input keeps the focus while a row is pressed: otherwise the list would close before the click. */
function keepFocus(event: { preventDefault: () => void }): void {
  event.preventDefault()
}

function RowContent({ row, type }: { row: SuggestionRow; type: ContentType }) {
  const Icon = icons[row.from]
  return (
    <>
      {row.uuid === '' && <Icon size={15} className="shrink-0 text-muted" aria-hidden />}
      {row.uuid !== '' && (
        <span className="shrink-0 rounded-sm border border-line px-1 text-xs leading-4 font-semibold text-muted">
          {type === ContentType.Article ? '文章' : documentKinds[getDocumentKind(row.ext)].label}
        </span>
      )}
      <span className="line-clamp-2 min-w-0">
        <MarkedText text={row.text} ranges={row.ranges} />
      </span>
      {row.from !== 'typed' && <span className="ml-auto shrink-0 text-xs text-muted">{origins[row.from]}</span>}
      {row.from === 'recent' && <RemoveMark words={row.text} type={type} />}
    </>
  )
}

/** For pointers: an option can contain no button. With a keyboard it is the Delete key. */
function RemoveMark({ words, type }: { words: string; type: ContentType }) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- as above
    <span
      aria-hidden
      title="删除这条记录"
      onClick={(event) => {
        event.preventDefault()
        event.stopPropagation()
        removeRecentSearch(words, type)
      }}
      className="-my-2 -mr-1.5 grid size-9 shrink-0 place-items-center rounded-md text-muted hover:text-ink"
    >
      <X size={15} aria-hidden />
    </span>
  )
}

const icons = { recent: Clock, hot: TrendingUp, typed: Search }
const origins = { recent: '最近', hot: '热门' }
