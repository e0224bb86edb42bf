import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { cx } from '#web/ui/class-names.ts'

interface TabsProps<N extends string> {
  label: string
  tabs: readonly { name: N; title: string }[]
  selected: N
  onSelect: (name: N) => void
  /** The content of the selected tab. */
  children: ReactNode
}

/** Tabs within a page: arrow keys move between them. A single one is no choice, and is not shown. */
export function Tabs<N extends string>({ label, tabs, selected, onSelect, children }: TabsProps<N>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  if (tabs.length < 2) return children
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = tabs.findIndex(({ name }) => name === selected)
    const next = (at + step + tabs.length) % tabs.length
    const tab = tabs[next]
    if (tab) onSelect(tab.name)
    list.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <>
      <div ref={list} role="tablist" aria-label={label} className="mb-5 flex border-b border-line">
        {tabs.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}${name}`}
            aria-selected={name === selected}
            aria-controls={`${id}panel`}
            tabIndex={name === selected ? 0 : -1}
            onClick={() => onSelect(name)}
            onKeyDown={move}
            className={cx(
              '-mb-px h-11 flex-1 border-b-2 text-sm whitespace-nowrap transition-colors focus-visible:-outline-offset-2',
              name === selected ? 'border-accent font-medium text-ink' : 'border-transparent text-muted hover:text-ink',
            )}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}${selected}`}>
        {children}
      </div>
    </>
  )
}
