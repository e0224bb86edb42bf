import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { palettes } from '#shared/palettes.ts'
import { toAccent, contrast, parseColor } from '#web/lib/accent.ts'

const backgrounds = { light: ['#ffffff', '#fafaf8', '#f2f2ee'], dark: ['#131514', '#1a1d1b', '#262a28'] }

function contrastOf(a: string, b: string): number {
  const [x, y] = [parseColor(a), parseColor(b)]
  if (!x || !y) throw new Error('not a colour')
  return contrast(x, y)
}

test.each([
  '#1f6f5c',
  '#fff',
  '#000',
  '#ffe600',
  '#0b5fff',
  '#e11d48',
  '#777777',
  'rgb(1,2,3)',
  '',
  'red;}body{display:none',
])('%s is readable on every background, and so is text on it', (color) => {
  const accent = toAccent(color)
  for (const background of backgrounds.light) expect(contrastOf(accent.light, background)).toBeGreaterThanOrEqual(4.5)
  for (const background of backgrounds.dark) expect(contrastOf(accent.dark, background)).toBeGreaterThanOrEqual(4.5)
  expect(contrastOf(accent.light, accent.onLight)).toBeGreaterThanOrEqual(4.5)
  expect(contrastOf(accent.dark, accent.onDark)).toBeGreaterThanOrEqual(4.5)
})

test('a colour that is readable already stays as it is', () => {
  expect(toAccent('#1F6F5C').light).toBe('#1f6f5c')
})

const css = readFileSync(new URL('../app.css', import.meta.url), 'utf8')

/** The neutral colours of a palette, as app.css has them. */
function neutrals(palette: string, theme: 'light' | 'dark'): Record<string, string> {
  const selector =
    theme === 'dark' ? `:root[data-theme='dark'] [data-palette='${palette}'] {` : `  [data-palette='${palette}'] {`
  const block = css.slice(css.indexOf(selector) + selector.length)
  const pairs = [...block.slice(0, block.indexOf('}')).matchAll(/--(\w+): (#[0-9a-f]{6});/g)]
  return Object.fromEntries(pairs.map(([, name = '', color = '']) => [name, color]))
}

test.each(Object.entries(palettes))('text, links and buttons are readable in the palette %s', (palette, { accent }) => {
  for (const theme of ['light', 'dark'] as const) {
    const { canvas = '', surface = '', sunken = '', ink = '', muted = '' } = neutrals(palette, theme)
    const tone = toAccent(accent)[theme]
    for (const background of [canvas, surface, sunken])
      for (const color of [ink, muted, tone]) expect(contrastOf(color, background)).toBeGreaterThanOrEqual(4.5)
  }
})
