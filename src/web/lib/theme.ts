import { useSyncExternalStore } from 'react'
import { local } from '#web/lib/storage.ts'

/** Light, dark, or as the system says. The page's first script (first-paint.ts) has already applied the choice. */

export type Theme = 'light' | 'dark' | 'system'

export const themeKey = 'wendou-theme'

export function useTheme(): { theme: Theme; choose: (theme: Theme) => void } {
  return { theme: useSyncExternalStore(subscribe, chosen, () => 'system'), choose }
}

/** Applies the choice again when the system, or the choice in another tab, changes. */
export function followSystem(): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', apply)
  window.addEventListener('storage', apply)
  return () => {
    system.removeEventListener('change', apply)
    window.removeEventListener('storage', apply)
  }
}

const listeners = new Set<() => void>()

function chosen(): Theme {
  const choice = local.read(themeKey)
  return choice === 'light' || choice === 'dark' ? choice : 'system'
}

function choose(theme: Theme): void {
  if (theme === 'system') local.remove(themeKey)
  else local.write(themeKey, theme)
  apply()
}

function apply(): void {
  const theme = chosen()
  const dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light'
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
