import { mayReload, reloadIfGone, reloadKey } from '#web/lib/browser/reload.ts'
import { sessionKey } from '#web/lib/session.ts'
import { preferencesKey, themeKey, themeOf } from '#web/lib/theme.ts'

const keys = { themeKey, reloadKey, sessionKey, preferencesKey }

/**
 * An inline script of the head that runs before the first paint and before any other script has loaded: dark pages must
 * not flash white, members must not see the guests' controls, and a page whose scripts are gone after an upgrade is
 * reloaded.
 */
export const firstPaint = import.meta.env.SSR
  ? `(${run.toString()})(${reloadIfGone.toString()},${mayReload.toString()},${applyPreferences.toString()},${themeOf.toString()},${JSON.stringify(keys)})`
  : ''

/** Serialized to text: it may use nothing from outside itself. */
function run(
  reload: typeof reloadIfGone,
  may: typeof mayReload,
  apply: typeof applyPreferences,
  themed: typeof themeOf,
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
    const chosen = localStorage.getItem(names.themeKey) || system
    root.setAttribute('data-theme', chosen)
    const preferences = JSON.parse(localStorage.getItem(names.preferencesKey) || '{}')
    apply(root, preferences)
    const { room, theme } = themed({ pathname: location.pathname, ground: preferences.ground, theme: chosen })
    root.setAttribute('data-theme', theme)
    if (room) root.setAttribute('data-room', room)
    const session = JSON.parse(localStorage.getItem(names.sessionKey) || '{}')
    if (session.token) root.setAttribute('data-member', '')
    if (session.user && session.user.is_vip) root.setAttribute('data-vip', '')
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
