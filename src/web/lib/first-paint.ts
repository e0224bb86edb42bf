import { mayReload, reloadKey } from '#web/lib/reload.ts'
import { sessionKey } from '#web/lib/session.ts'
import { themeKey } from '#web/lib/theme.ts'

const keys = { themeKey, reloadKey, sessionKey }

/**
 * Runs inside the head, before anything is painted and before any of our scripts has arrived:
 * dark pages must not flash white, members must not see the guest's corner, and a page whose
 * scripts are gone after an upgrade is reloaded.
 */
export const firstPaint = `(${run.toString()})(${mayReload.toString()},${JSON.stringify(keys)})`

/** Becomes text: it may use nothing from outside itself. */
function run(may: typeof mayReload, names: typeof keys): void {
  const onError = (event: Event) => {
    if (!(event.target instanceof HTMLScriptElement)) return
    // The owner's statistics come from elsewhere, and many browsers refuse them.
    if (!event.target.src.startsWith(`${location.origin}/`)) return
    try {
      if (!may(sessionStorage.getItem(names.reloadKey), Date.now())) return
      sessionStorage.setItem(names.reloadKey, String(Date.now()))
      location.reload()
    } catch {
      // A reload that cannot be remembered would be repeated without end.
    }
  }
  window.addEventListener('error', onError, true)
  const root = document.documentElement
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  root.setAttribute('data-theme', system)
  try {
    root.setAttribute('data-theme', localStorage.getItem(names.themeKey) || system)
    const session = JSON.parse(localStorage.getItem(names.sessionKey) || '{}')
    if (session.token) root.setAttribute('data-member', '')
    if (session.user && session.user.is_vip) root.setAttribute('data-vip', '')
  } catch {
    // Storage that cannot be read is the same as an empty one.
  }
}
