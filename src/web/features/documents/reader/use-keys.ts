import { useEffect, useEffectEvent } from 'react'

/** What gives `false` leaves the key to the browser. */
type Keys = Partial<Record<string, () => unknown>>

/** Keys for the whole page, except where one types, chooses or answers a dialog. `mod+` is Ctrl, or ⌘. */
export function useKeys(keys: Keys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey) return
    const isMod = event.ctrlKey || event.metaKey
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const act = keys[isMod ? `mod+${key}` : key]
    if (!act || (isMod && event.shiftKey) || isBusy(event.target, isMod)) return
    if (act() !== false) event.preventDefault()
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** With Ctrl or ⌘ nothing is typed; but where one looks for something already, such keys are the browser's. */
function isBusy(target: EventTarget | null, isMod: boolean): boolean {
  if (!(target instanceof Element)) return false
  if (target.closest(isMod ? 'search, [role="search"]' : 'input, textarea, select, [contenteditable], [role="menu"]'))
    return true
  return document.querySelector('[role="dialog"]') !== null
}
