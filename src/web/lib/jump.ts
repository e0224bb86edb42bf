import type { MouseEvent } from 'react'

/** Follows a link to a part of this page: without a step in the history, and with the focus. */
export function jump(event: MouseEvent<HTMLAnchorElement>): void {
  const part = document.getElementById(event.currentTarget.hash.slice(1))
  if (!part) return
  event.preventDefault()
  part.scrollIntoView()
  part.focus({ preventScroll: true })
}
