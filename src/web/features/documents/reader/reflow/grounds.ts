import type { CSSProperties } from 'react'
import type { Ground } from '#shared/grounds.ts'

/** The colours of utility classes within the text, so that its parts need not know the ground. */
const colours: Record<Ground, Record<`--${string}`, string>> = {
  day: {
    '--color-surface': '#ffffff',
    '--color-sunken': '#f2f2ee',
    '--color-ink': '#1b1f1d',
    '--color-muted': '#5d6561',
    '--color-line': '#e5e6e1',
  },
  sepia: {
    '--color-surface': '#f5ecd9',
    '--color-sunken': '#eadfc6',
    '--color-ink': '#3b3124',
    '--color-muted': '#6b5d47',
    '--color-line': '#ddd0b3',
  },
  night: {
    '--color-surface': '#181b1a',
    '--color-sunken': '#242826',
    '--color-ink': '#c9cfcb',
    '--color-muted': '#969e99',
    '--color-line': '#2f3532',
  },
}

/** Without a choice the text has the colours of the site's theme. */
export function groundStyle(ground: Ground | undefined): CSSProperties | undefined {
  if (!ground) return undefined
  const scheme = ground === 'night' ? 'dark' : 'light'
  return { ...colours[ground], '--color-accent': `var(--accent-on-${scheme})`, colorScheme: scheme } as CSSProperties
}
