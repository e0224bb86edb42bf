import { expect, test } from 'vitest'
import { accentOf } from './palettes.ts'

test.each([
  ['bamboo', '#1f6f5c', '#1f6f5c'],
  ['ink', '#1f6f5c', '#24508f'],
  ['ink', '', '#24508f'],
  ['ink', '#ff0000', '#ff0000'],
  ['unknown', '', '#1f6f5c'],
])('with palette %s and the colour "%s" the accent is %s', (palette, color, accent) => {
  expect(accentOf(palette, color)).toBe(accent)
})
