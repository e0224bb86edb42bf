import { mayReload, reloadIfGone, reloadKey } from '#web/lib/browser/reload.ts'
import { sessionKey } from '#web/lib/session.ts'
import { themeKey } from '#web/lib/theme.ts'

/** Where the browser stores how a reader likes to read. */
export const preferencesKey = 'wendou-reader'

const keys = { themeKey, reloadKey, sessionKey, preferencesKey }

/**
 * An inline script of the head that runs before the first paint and before any other script has loaded: dark pages must
 * not flash white, members must not see the guests' controls, and a page whose scripts are gone after an upgrade is
 * reloaded.
 */
export const firstPaint = import.meta.env.SSR
  ? `(${run.toString()})(${reloadIfGone.toString()},${mayReload.toString()},${applyPreferences.toString()},${JSON.stringify(keys)})`
  : ''

/** Serialized to text: it may use nothing from outside itself. */
function run(
  reload: typeof reloadIfGone,
  may: typeof mayReload,
  apply: typeof applyPreferences,
  names: typeof keys,
): void {
  const onError = (event: Event) => {
    if (!(event.target instanceof HTMLScriptElement)) return
    // The owner's analytics scripts come from other hosts, and many browsers block them.
    if (!event.target.src.startsWith(`${location.origin}/`)) return
    void reload(event.target.src, may, names.reloadKey)
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
    apply(root, JSON.parse(localStorage.getItem(names.preferencesKey) || '{}'))
  } catch {
    // A blocked storage counts as empty.
  }
}

/** As attributes of the root element, for CSS. Serialized to text too. */
export function applyPreferences(root: Element, preferences: object): void {
  for (const [name, value] of Object.entries(preferences)) {
    if (value === undefined) root.removeAttribute(`data-reader-${name}`)
    else root.setAttribute(`data-reader-${name}`, String(value))
  }
}
