/** Visitors who leave at once need none. */
const delayMs = 5000

/** The service worker caches the offline page. The admin has none. */
export function registerServiceWorker(): void {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return
  setTimeout(() => {
    if (location.pathname.startsWith('/admin')) return
    // Without it the browser shows its own offline page.
    navigator.serviceWorker.register('/service-worker.js').catch(() => {})
  }, delayMs)
}
