import { useEffect, useEffectEvent } from 'react'

/** A handler that returns `false` leaves the key to the browser. */
type Keys = Partial<Record<string, () => unknown>>

/** Shortcuts for the whole page, except in inputs, menus and dialogs. `mod+` is Ctrl, or ⌘. */
export function useKeys(keys: Keys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey) return
    const isMod = event.ctrlKey || event.metaKey
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const handler = keys[isMod ? `mod+${key}` : key]
    if (!handler || (isMod && event.shiftKey) || isBusy(event.target, isMod)) return
    if (handler() !== false) event.preventDefault()
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** Keys with Ctrl or ⌘ type nothing, so they work in inputs too; in a search box the browser's own shortcut applies. */
function isBusy(target: EventTarget | null, isMod: boolean): boolean {
  if (!(target instanceof Element)) return false
  if (target.closest(isMod ? 'search, [role="search"]' : 'input, textarea, select, [contenteditable], [role="menu"]'))
    return true
  return document.querySelector('[role="dialog"]') !== null
}
