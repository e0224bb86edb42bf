import type { CSSProperties } from 'react'
import type { Ground } from '#shared/grounds.ts'

/** The site's colours within the text, so that its parts need not know the ground. */
const colours: Record<Ground, Record<`--${string}`, string>> = {
  day: { '--surface': '#ffffff', '--sunken': '#f2f2ee', '--ink': '#1b1f1d', '--muted': '#5d6561', '--line': '#e5e6e1' },
  sepia: {
    '--surface': '#f5ecd9',
    '--sunken': '#eadfc6',
    '--ink': '#3b3124',
    '--muted': '#6b5d47',
    '--line': '#ddd0b3',
  },
  night: {
    '--surface': '#181b1a',
    '--sunken': '#242826',
    '--ink': '#c9cfcb',
    '--muted': '#969e99',
    '--line': '#2f3532',
  },
}

/** Without a choice the text has the colours of the site's theme. */
export function groundStyle(ground: Ground | undefined): CSSProperties | undefined {
  if (!ground) return undefined
  const scheme = ground === 'night' ? 'dark' : 'light'
  return { ...colours[ground], ...{ '--accent': `var(--accent-on-${scheme})` }, colorScheme: scheme }
}
