import { Clock, Search, TrendingUp } from 'lucide-react'
import { useEffect, type RefObject } from 'react'
import { Link } from 'react-router'
import { documentKinds, kindOf } from '#shared/document-kinds.ts'
import type { ListState } from '#web/features/site/search-box.tsx'
import { forgetWords } from '#web/features/site/suggest/recent-words.ts'
import type { Row } from '#web/features/site/suggest/rows.ts'
import { useListKeys } from '#web/features/site/suggest/use-list-keys.ts'
import { useEscape, useOpenList } from '#web/features/site/suggest/use-open-list.ts'
import { useRows } from '#web/features/site/suggest/use-rows.ts'
import { cx } from '#web/ui/class-names.ts'
import { MarkedText } from '#web/ui/marked-text.tsx'

interface SuggestionsProps {
  /** Of the list; the box refers to it. */
  id: string
  /** The form with the box. */
  form: RefObject<HTMLFormElement | null>
  text: string
  type: 0 | 1
  /** What stands in the box is not yet what is meant: an input method is at work. */
  isPaused: boolean
  onShow: (state: ListState) => void
  onPick: (row: Row) => void
  className: string
}

/** Below the box: words and titles for what is typed; before that, one's own last words and those of others. */
export function Suggestions({ id, form, text, type, isPaused, onShow, onPick, className }: SuggestionsProps) {
  const [isOpen, turn] = useOpenList(form)
  const rows = useRows({ text, type, isWanted: isOpen && !isPaused })
  const pick = (row: Row) => {
    turn(false)
    onPick(row)
  }
  const { place, move, isShown } = useListKeys({ form, rows, isOpen: isOpen && !isPaused, turn, onPick: pick })
  useEscape(isShown, () => turn(false))
  const active = place < 0 ? undefined : `${id}-${place}`
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
            aria-selected={index === place}
            tabIndex={-1}
            to={row.to}
            onPointerDown={keepFocus}
            onMouseDown={keepFocus}
            onPointerMove={() => index !== place && move(index)}
            onClick={() => pick(row)}
            className={cx(
              'flex min-h-10 items-center gap-2.5 rounded-md px-2.5 py-2 text-sm',
              index === place && 'bg-sunken',
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
          onClick={forgetWords}
          className="mt-1 flex min-h-9 w-full items-center rounded-md px-2.5 text-left text-sm text-muted hover:text-accent"
        >
          清除最近搜索
        </button>
      )}
    </div>
  )
}

/** Pressing a row leaves the focus in the box, so that the list stays until the click. */
function keepFocus(event: { preventDefault: () => void }): void {
  event.preventDefault()
}

function RowContent({ row, type }: { row: Row; type: 0 | 1 }) {
  const Icon = icons[row.from]
  return (
    <>
      {row.uuid === '' && <Icon size={15} className="shrink-0 text-muted" aria-hidden />}
      {row.uuid !== '' && (
        <span className="shrink-0 rounded-sm border border-line px-1 text-xs leading-4 font-semibold text-muted">
          {type === 1 ? '文章' : documentKinds[kindOf(row.ext)].label}
        </span>
      )}
      <span className="line-clamp-2 min-w-0">
        <MarkedText text={row.text} ranges={row.ranges} />
      </span>
      {row.from !== 'typed' && <span className="ml-auto shrink-0 text-xs text-muted">{origins[row.from]}</span>}
    </>
  )
}

const icons = { recent: Clock, hot: TrendingUp, typed: Search }
const origins = { recent: '最近', hot: '热门' }
