import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { InboxEntry } from '#shared/contract/reports.ts'
import { ReportOutcome } from '#shared/enums.ts'
import type { Handling } from '#web/admin/reports/handle-dialog.tsx'
import { useOutcomes } from '#web/admin/reports/use-outcomes.ts'

interface KeyOptions {
  /** Not while a dialog is open. */
  isEnabled: boolean
  onHandle: (handling: Handling) => void
}

const outcomeKeys: Record<string, ReportOutcome | undefined> = {
  n: ReportOutcome.Dismissed,
  d: ReportOutcome.DocumentDisabled,
  x: ReportOutcome.DocumentDeleted,
  h: ReportOutcome.Handled,
}

/** Moves between the entries and acts on the current one. */
export function useEntryKeys(entries: readonly InboxEntry[], { isEnabled, onHandle }: KeyOptions) {
  const [chosen, setChosen] = useState(0)
  const elements = useRef(new Map<number, HTMLElement>())
  const outcomesOf = useOutcomes()
  const current = Math.min(chosen, entries.length - 1)
  const focus = (index: number) => {
    const element = elements.current.get(index)
    if (!element) return
    setChosen(index)
    element.focus()
    element.scrollIntoView({ block: 'nearest' })
  }
  const press = useEffectEvent((event: KeyboardEvent) => {
    const entry = entries[current]
    if (!isEnabled || !entry || isTyping(event)) return
    const key = event.key.toLowerCase()
    // The first press chooses the entry that is current already.
    const isInside = elements.current.get(current)?.contains(document.activeElement) === true
    const outcome = outcomeKeys[key]
    if (key === 'j' || key === 'k') focus(isInside ? current + (key === 'j' ? 1 : -1) : current)
    else if (key === 'o' && entry.document && !entry.document.is_deleted)
      window.open(`/document/${entry.document.uuid}`, '_blank', 'noreferrer')
    else if (outcome !== undefined && outcomesOf(entry).includes(outcome)) onHandle({ entry, outcome })
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  return {
    propsOf: (index: number) => ({
      tabIndex: index === current ? 0 : -1,
      onFocus: () => setChosen(index),
      ref: (element: HTMLElement | null) => {
        if (element) elements.current.set(index, element)
        else elements.current.delete(index)
      },
    }),
  }
}

function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true
  return target instanceof Element && target.closest('input, textarea, select, [role=dialog], [role=menu]') !== null
}
