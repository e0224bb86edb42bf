import { useEffect } from 'react'
import { useLocation } from 'react-router'

/** The setting that the address names after `#`: it is scrolled to, focused and marked. */
export function useFoundSetting(): string {
  // Another object with every navigation: the same setting may be looked for again.
  const location = useLocation()
  useEffect(() => reveal(nameIn(location)), [location])
  return nameIn(location)
}

function nameIn({ hash }: { hash: string }): string {
  return hash.slice(1)
}

export function itemId(name: string): string {
  return `setting-${name}`
}

function reveal(name: string): void {
  const item = name ? document.getElementById(itemId(name)) : null
  if (!item) return
  item.scrollIntoView({ block: 'center' })
  const control = item.querySelector<HTMLElement>('input:not([type=file], :disabled), textarea:enabled, button:enabled')
  const target = control ?? item
  target.focus({ preventScroll: true })
}
