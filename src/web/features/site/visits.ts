let pendingPath: string | undefined

/** Reports a visit for the statistics. A page in a background tab counts when it becomes visible. */
export function reportVisit(path: string): void {
  if (document.visibilityState === 'visible') {
    // Browsers that block beacons are not counted.
    if ('sendBeacon' in navigator) navigator.sendBeacon('/api/v1/visit', JSON.stringify({ path }))
    return
  }
  if (pendingPath === undefined) document.addEventListener('visibilitychange', reportPending, { once: true })
  pendingPath = path
}

function reportPending(): void {
  const path = pendingPath
  pendingPath = undefined
  if (path !== undefined) reportVisit(path)
}
