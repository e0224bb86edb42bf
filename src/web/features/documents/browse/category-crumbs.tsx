import { ChevronDown, ChevronRight } from 'lucide-react'
import { useId, useRef, type KeyboardEvent } from 'react'
import { Link } from 'react-router'
import { categoryPath } from '#web/lib/paths.ts'
import { useSite, type CategoryNode } from '#web/lib/site.ts'
import { cx } from '#web/ui/class-names.ts'
import { useOpenHere } from '#web/ui/open-here.ts'

/** Where the category stands; every step opens what is beside it. */
export function CategoryCrumbs({ path }: { path: CategoryNode[] }) {
  const { documentCategories } = useSite()
  return (
    <nav aria-label="所在位置" className="relative">
      <ol className="flex flex-wrap items-center gap-1 text-sm text-muted">
        <li>
          <Link to="/" className="hover:text-accent">
            首页
          </Link>
        </li>
        <li className="flex items-center gap-1">
          <ChevronRight size={14} aria-hidden />
          {path.length > 0 ? (
            <Link to="/category" className="hover:text-accent">
              全部分类
            </Link>
          ) : (
            <span aria-current="page" className="text-ink">
              全部分类
            </span>
          )}
        </li>
        {path.map((category, place) => (
          <Step
            key={category.id}
            category={category}
            beside={path[place - 1]?.children ?? documentCategories}
            isHere={place === path.length - 1}
          />
        ))}
      </ol>
    </nav>
  )
}

function Step({ category, beside, isHere }: { category: CategoryNode; beside: CategoryNode[]; isHere: boolean }) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [open, turn] = useOpenHere()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return
    turn(false)
    button.current?.focus()
  }
  return (
    <li>
      <div
        role="presentation"
        className="flex items-center gap-1 md:relative"
        onKeyDown={onKeyDown}
        onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && turn(false)}
      >
        <ChevronRight size={14} aria-hidden />
        {isHere ? (
          <span aria-current="page" className="text-ink">
            {category.title}
          </span>
        ) : (
          <Link to={categoryPath(category)} className="hover:text-accent">
            {category.title}
          </Link>
        )}
        {beside.length > 1 && (
          <button
            ref={button}
            type="button"
            aria-label={`与“${category.title}”同级的分类`}
            aria-expanded={open}
            aria-controls={id}
            onClick={() => turn(!open)}
            className="flex size-6 items-center justify-center rounded-sm hover:bg-sunken hover:text-ink"
          >
            <ChevronDown size={14} className={cx('transition-transform', open && 'rotate-180')} aria-hidden />
          </button>
        )}
        {open && (
          <ul
            id={id}
            // A press on the card's own paper must not take the focus away and close it.
            tabIndex={-1}
            className="absolute top-full left-0 z-30 mt-1.5 max-h-[min(60vh,24rem)] w-full max-w-72 animate-appear overflow-y-auto rounded-lg border border-line bg-surface p-1.5 shadow-soft outline-none md:w-60"
          >
            {beside.map((other) => (
              <li key={other.id}>
                <Link
                  to={categoryPath(other)}
                  aria-current={other.id === category.id ? 'true' : undefined}
                  className={cx(
                    'flex justify-between gap-3 rounded-md px-3 py-2 hover:bg-sunken',
                    other.id === category.id ? 'font-medium text-accent' : 'text-ink',
                  )}
                >
                  <span className="truncate">{other.title}</span>
                  {other.doc_count > 0 && <span className="text-muted tabular-nums">{other.doc_count}</span>}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}
