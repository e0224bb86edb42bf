import { ChevronDown, ChevronRight } from 'lucide-react'
import { useId, useRef, type KeyboardEvent } from 'react'
import { Link } from 'react-router'
import { categoryPath } from '#web/domain/paths.ts'
import { useSite, type CategoryNode } from '#web/domain/site.ts'
import { cx } from '#web/ui/class-names.ts'
import { useOpenOnThisPage } from '#web/ui/overlay/open-on-this-page.ts'

/** The breadcrumb of a category; each step opens its siblings. */
export function CategoryCrumbs({ path, title }: { path: CategoryNode[]; title: string }) {
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
              {title}
            </span>
          )}
        </li>
        {path.map((category, index) => (
          <Step
            key={category.id}
            category={category}
            siblings={path[index - 1]?.children ?? documentCategories}
            isCurrent={index === path.length - 1}
          />
        ))}
      </ol>
    </nav>
  )
}

interface StepProps {
  category: CategoryNode
  siblings: CategoryNode[]
  isCurrent: boolean
}

function Step({ category, siblings, isCurrent }: StepProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useOpenOnThisPage()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return
    setOpen(false)
    button.current?.focus()
  }
  return (
    <li>
      <div
        role="presentation"
        className="flex items-center gap-1 md:relative"
        onKeyDown={onKeyDown}
        onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setOpen(false)}
      >
        <ChevronRight size={14} aria-hidden />
        {isCurrent ? (
          <span aria-current="page" className="text-ink">
            {category.title}
          </span>
        ) : (
          <Link to={categoryPath(category)} className="hover:text-accent">
            {category.title}
          </Link>
        )}
        {siblings.length > 1 && (
          <button
            ref={button}
            type="button"
            aria-label={`与“${category.title}”同级的分类`}
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
            className="flex size-6 items-center justify-center rounded-sm hover:bg-sunken hover:text-ink"
          >
            <ChevronDown size={14} className={cx('transition-transform', open && 'rotate-180')} aria-hidden />
          </button>
        )}
        {open && (
          <ul
            id={id}
            // A click on the card's padding must not blur and close it.
            tabIndex={-1}
            className="absolute top-full left-0 z-30 mt-1.5 max-h-[min(60vh,24rem)] w-full max-w-72 animate-appear overflow-y-auto rounded-lg border border-line bg-surface p-1.5 shadow-soft outline-none md:w-60"
          >
            {siblings.map((sibling) => (
              <li key={sibling.id}>
                <Link
                  to={categoryPath(sibling)}
                  aria-current={sibling.id === category.id ? 'true' : undefined}
                  className={cx(
                    'flex justify-between gap-3 rounded-md px-3 py-2 hover:bg-sunken',
                    sibling.id === category.id ? 'font-medium text-accent' : 'text-ink',
                  )}
                >
                  <span className="truncate">{sibling.title}</span>
                  {sibling.doc_count > 0 && <span className="text-muted tabular-nums">{sibling.doc_count}</span>}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}
