import { expect, test } from 'vitest'
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
