import { perTab } from '#web/lib/browser/storage.ts'

/** After an upgrade the scripts of an open page are gone: it reloads to get the new ones, at most once in 60 seconds. */

/** Also serialized into the page (first-paint.ts), so it may use nothing from outside itself. */
export function mayReload(last: string | null, now: number): boolean {
  const passed = now - Number(last)
  return !(passed >= 0 && passed < 60_000)
}

export const reloadKey = 'wendou-reloaded-at'

export function reloadWhenScriptsFail(): () => void {
  const onFailure = (event: Event) => {
    if (!mayReload(perTab.read(reloadKey), Date.now())) return
    // Without a storage to remember the reload it would be repeated forever.
    if (!perTab.write(reloadKey, String(Date.now()))) return
    event.preventDefault()
    location.reload()
  }
  window.addEventListener('vite:preloadError', onFailure)
  return () => window.removeEventListener('vite:preloadError', onFailure)
}
