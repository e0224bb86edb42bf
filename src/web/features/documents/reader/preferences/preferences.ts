import { grounds, type Ground } from '#shared/grounds.ts'
import type { Spread } from '#web/features/documents/reader/pages/page-layout.ts'
import { applyPreferences } from '#web/lib/browser/first-paint.ts'
import { local } from '#web/lib/browser/storage.ts'
import { createStore, useStore } from '#web/lib/store.ts'
import { applyTheme, onRoomLeft, preferencesKey } from '#web/lib/theme.ts'

/**
 * How a reader likes to read, for all documents; stored in the browser. The page's first script (first-paint.ts) has
 * applied the choices that move or colour anything before the first paint.
 */
export interface Preferences {
  /** Undefined follows the site's theme. */
  ground?: Ground | undefined
  /** Undefined crops the margins on phones only. */
  crop?: boolean | undefined
  spread: Spread
  /** The pages take the whole width of the window. */
  wide: boolean
}

const defaults: Preferences = { spread: 'single', wide: false }
const store = createStore(() => parsePreferences(local.read(preferencesKey)))

export function usePreferences(): Preferences {
  return useStore(store, defaults)
}

export function setPreferences(changes: Partial<Preferences>): void {
  const next = { ...store.get(), ...changes }
  local.write(preferencesKey, JSON.stringify(next))
  applyPreferences(document.documentElement, next)
  applyTheme()
  store.set(next)
}

onRoomLeft(() => setPreferences({ ground: undefined }))

/** The chosen ground of pages and text; without a choice that of the site's theme. */
export function useGround(): Ground {
  const fromTheme = useStore(themeGround, 'day')
  return usePreferences().ground ?? fromTheme
}

/** Everything that is not a known value is ignored. */
export function parsePreferences(text: string | null): Preferences {
  const stored = readObject(text)
  return {
    ground: grounds.find((ground) => ground === stored['ground']),
    crop: typeof stored['crop'] === 'boolean' ? stored['crop'] : undefined,
    spread: spreads.find((spread) => spread === stored['spread']) ?? defaults.spread,
    wide: stored['wide'] === true,
  }
}

const spreads: readonly Spread[] = ['single', 'double', 'cover']

function readObject(text: string | null): Partial<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** The theme is an attribute of the root element. */
const themeGround = {
  get: (): Ground => (document.documentElement.dataset['theme'] === 'dark' ? 'night' : 'day'),
  subscribe(listener: () => void): () => void {
    const observer = new MutationObserver(listener)
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => observer.disconnect()
  },
}
