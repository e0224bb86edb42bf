/** Long enough that pages which are only passed through have nothing of it. */
const settledMs = 5000

/** Once somebody stays, the browser keeps a page for when the network is gone. Not where the site is managed. */
export function keepOfflinePage(): void {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return
  setTimeout(() => {
    if (location.pathname.startsWith('/admin')) return
    // Without it there is the browser's own page.
    navigator.serviceWorker.register('/service-worker.js').catch(() => {})
  }, settledMs)
}
