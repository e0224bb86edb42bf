import { perTab } from '#web/lib/storage.ts'

/**
 * After an upgrade the scripts of the page one has open are gone. One reload brings the new ones;
 * if that does not help, reloading on and on would not either: once in 60 seconds at most.
 */

/** Also written into the page as text (first-paint.ts), so it must stand by itself. */
export function mayReload(last: string | null, now: number): boolean {
  const passed = now - Number(last)
  return !(passed >= 0 && passed < 60_000)
}

export const reloadKey = 'wendou-reloaded-at'

export function reloadWhenScriptsFail(): () => void {
  const onFailure = (event: Event) => {
    if (!mayReload(perTab.read(reloadKey), Date.now())) return
    // A reload that cannot be remembered would be repeated without end.
    if (!perTab.write(reloadKey, String(Date.now()))) return
    event.preventDefault()
    location.reload()
  }
  window.addEventListener('vite:preloadError', onFailure)
  return () => window.removeEventListener('vite:preloadError', onFailure)
}
