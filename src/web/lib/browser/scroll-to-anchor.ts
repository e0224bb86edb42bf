import type { MouseEvent } from 'react'

/** Follows a link to an anchor on this page: moves the focus there, without a history entry. */
export function scrollToAnchor(event: MouseEvent<HTMLAnchorElement>): void {
  const target = document.getElementById(event.currentTarget.hash.slice(1))
  if (!target) return
  event.preventDefault()
  target.scrollIntoView()
  target.focus({ preventScroll: true })
}
