import { currentSession, isSignedIn } from '#web/lib/session.ts'

/** The service worker keeps what was read for times without a network. The admin has none. */
export async function registerServiceWorker(): Promise<void> {
  if (import.meta.env.DEV || !('serviceWorker' in navigator) || location.pathname.startsWith('/admin')) return
  // Without it the browser shows its own offline page.
  await navigator.serviceWorker.register('/service-worker.js').catch(() => {})
}

/** Has the service worker copy the page that is shown, and the files that pages have loaded. */
export async function copyForOffline(): Promise<void> {
  const { active } = (await navigator.serviceWorker?.ready) ?? {}
  const files = performance.getEntriesByType('resource').map(({ name }) => new URL(name))
  const own = files.filter(({ origin, pathname }) => origin === location.origin && /^\/(assets|view)\//.test(pathname))
  const message = {
    page: location.pathname + location.search,
    files: own.map(({ href }) => href),
    isMember: isSignedIn(currentSession()),
  }
  active?.postMessage(message, { transfer: [] })
}
