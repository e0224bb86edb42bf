import { apiBase } from '#web/lib/api-base.ts'

/** A page was shown without loading the site again: for analytics scripts, which notice only the first page themselves. */
export interface PageView {
  /** With the query. */
  path: string
  title: string
  previous: string
}

export const pageViewEvent = 'wendou:pageview'

let shown: { pathname: string; path: string } | undefined

export function pageShown({ pathname, search }: { pathname: string; search: string }): void {
  const path = pathname + search
  const before = shown
  if (before?.path === path) return
  shown = { pathname, path }
  // Another query of the same page does not count as a visit.
  if (before?.pathname !== pathname) reportVisit(pathname)
  if (!before) return
  const detail: PageView = { path, title: document.title, previous: before.path }
  window.dispatchEvent(new CustomEvent(pageViewEvent, { detail }))
}

let pendingPath: string | undefined

/** Reports a visit for the statistics. A page in a background tab counts when it becomes visible. */
function reportVisit(path: string): void {
  if (document.visibilityState === 'visible') {
    // Browsers that block beacons are not counted.
    if ('sendBeacon' in navigator) navigator.sendBeacon(`${apiBase()}/api/v1/visit`, JSON.stringify({ path }))
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
