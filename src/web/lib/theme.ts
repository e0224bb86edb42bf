import { local } from '#web/lib/browser/storage.ts'
import { createStore, useStore } from '#web/lib/store.ts'

/**
 * Light, dark, or as the system says; where a document is read, as its reader chose the ground of pages: the whole window
 * is of that ground then, a room and not a sheet. The page's first script (first-paint.ts) has already applied the choice.
 */

export type Theme = 'light' | 'dark' | 'system'

export const themeKey = 'wendou-theme'

const store = createStore(readChoice)
const leavers = new Set<() => void>()

/** The keeper of the ground of documents gives it up when a theme is chosen while one is read. */
export function onRoomLeft(leave: () => void): void {
  leavers.add(leave)
}

export function useTheme(): { theme: Theme; choose: (theme: Theme) => void } {
  return { theme: useStore(store, 'system'), choose }
}

/** The key under which the browser stores how a reader likes to read. */
export const preferencesKey = 'wendou-reader'

/** The theme of the window, and the ground it has because of what is read in it. Serialized to text (first-paint.ts). */
export function themeOf({ pathname, ground, theme }: { pathname: string; ground: unknown; theme: string }) {
  const isGround = ground === 'day' || ground === 'sepia' || ground === 'night'
  const room = isGround && /^\/document\/[^/]+$/.test(pathname) ? ground : undefined
  return { room, theme: room ? (room === 'night' ? 'dark' : 'light') : theme }
}

/** Applies the theme again when the system's preference, or the choice in another tab, changes. */
export function followSystem(): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', applyTheme)
  window.addEventListener('storage', applyTheme)
  return () => {
    system.removeEventListener('change', applyTheme)
    window.removeEventListener('storage', applyTheme)
  }
}

function readChoice(): Theme {
  const choice = local.read(themeKey)
  return choice === 'light' || choice === 'dark' ? choice : 'system'
}

function choose(theme: Theme): void {
  if (theme === 'system') local.remove(themeKey)
  else local.write(themeKey, theme)
  // The last choice counts: a reader who chooses a theme in a room leaves its ground.
  if (document.documentElement.dataset['room']) for (const leave of leavers) leave()
  applyTheme()
}

/** To be called when the page or the ground of documents changes. */
export function applyTheme(): void {
  const choice = readChoice()
  const isDark = choice === 'dark' || (choice === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  const { room, theme } = themeOf({
    pathname: location.pathname,
    ground: readGround(),
    theme: isDark ? 'dark' : 'light',
  })
  const { dataset } = document.documentElement
  dataset['theme'] = theme
  if (room) dataset['room'] = room
  else delete dataset['room']
  store.set(choice)
}

function readGround(): unknown {
  try {
    const stored: unknown = JSON.parse(local.read(preferencesKey) ?? '{}')
    return typeof stored === 'object' && stored !== null && 'ground' in stored ? stored.ground : undefined
  } catch {
    return undefined
  }
}
