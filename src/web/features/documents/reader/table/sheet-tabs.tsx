import { useEffect, useRef, type KeyboardEvent } from 'react'
import type { TableSheet } from '#shared/tables.ts'
import { cx } from '#web/ui/class-names.ts'

interface SheetTabsProps {
  sheets: readonly TableSheet[]
  selected: number
  onSelect: (id: number) => void
  /** The id of the panel that shows the selected sheet. */
  panel: string
}

/** Below the cells, as in a spreadsheet; arrow keys move between them. */
export function SheetTabs({ sheets, selected, onSelect, panel }: SheetTabsProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const at = sheets.findIndex(({ id }) => id === selected)
    list.current?.children[at]?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [sheets, selected])
  const move = (event: KeyboardEvent) => {
    const at = sheets.findIndex(({ id }) => id === selected)
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: sheets.length - 1 }[event.key]
    if (target === undefined) return
    event.preventDefault()
    const next = (target + sheets.length) % sheets.length
    const sheet = sheets[next]
    if (sheet) onSelect(sheet.id)
    list.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div
      ref={list}
      role="tablist"
      aria-label="工作表"
      className="flex shrink-0 overflow-x-auto border-t border-line bg-sunken px-1"
    >
      {sheets.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`${panel}-tab-${id}`}
          aria-selected={id === selected}
          aria-controls={panel}
          tabIndex={id === selected ? 0 : -1}
          onClick={() => onSelect(id)}
          onKeyDown={move}
          title={name}
          className={cx(
            'h-10 max-w-48 min-w-16 shrink-0 truncate border-t-2 px-3 text-sm focus-visible:-outline-offset-2',
            id === selected
              ? 'border-accent bg-surface font-medium text-ink'
              : 'border-[transparent] text-muted hover:text-ink',
          )}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
