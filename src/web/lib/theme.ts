import { local } from '#web/lib/browser/storage.ts'
import { createStore, useStore } from '#web/lib/store.ts'

/** Light, dark, or as the system says. The page's first script (first-paint.ts) has already applied the choice. */

export type Theme = 'light' | 'dark' | 'system'

export const themeKey = 'wendou-theme'

const store = createStore(readChoice)

export function useTheme(): { theme: Theme; choose: (theme: Theme) => void } {
  return { theme: useStore(store, 'system'), choose }
}

/** Applies the theme again when the system's preference, or the choice in another tab, changes. */
export function followSystem(): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', apply)
  window.addEventListener('storage', apply)
  return () => {
    system.removeEventListener('change', apply)
    window.removeEventListener('storage', apply)
  }
}

function readChoice(): Theme {
  const choice = local.read(themeKey)
  return choice === 'light' || choice === 'dark' ? choice : 'system'
}

function choose(theme: Theme): void {
  if (theme === 'system') local.remove(themeKey)
  else local.write(themeKey, theme)
  apply()
}

function apply(): void {
  const theme = readChoice()
  const dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light'
  store.set(theme)
}
