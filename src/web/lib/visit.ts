let unseen: string | undefined

/** Tells the site that a page was looked at. One that nobody sees yet counts when it is shown. */
export function noteVisit(path: string): void {
  if (document.visibilityState === 'visible') {
    // Some people's browsers have none: they are not counted.
    if ('sendBeacon' in navigator) navigator.sendBeacon('/api/v1/visit', JSON.stringify({ path }))
    return
  }
  if (unseen === undefined) document.addEventListener('visibilitychange', shown, { once: true })
  unseen = path
}

function shown(): void {
  const path = unseen
  unseen = undefined
  if (path !== undefined) noteVisit(path)
}
