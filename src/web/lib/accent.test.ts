import { expect, test } from 'vitest'
import { accentOf, contrast, parse } from '#web/lib/accent.ts'

const papers = { light: ['#ffffff', '#fafaf8', '#f2f2ee'], dark: ['#131514', '#1a1d1b', '#262a28'] }

function between(a: string, b: string): number {
  const [x, y] = [parse(a), parse(b)]
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
])('%s can be read on every paper, and what stands on it too', (color) => {
  const accent = accentOf(color)
  for (const paper of papers.light) expect(between(accent.light, paper)).toBeGreaterThanOrEqual(4.5)
  for (const paper of papers.dark) expect(between(accent.dark, paper)).toBeGreaterThanOrEqual(4.5)
  expect(between(accent.light, accent.onLight)).toBeGreaterThanOrEqual(4.5)
  expect(between(accent.dark, accent.onDark)).toBeGreaterThanOrEqual(4.5)
})

test('a colour that is readable already stays as it is', () => {
  expect(accentOf('#1F6F5C').light).toBe('#1f6f5c')
})
