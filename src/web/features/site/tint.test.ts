import { expect, test } from 'vitest'
import { tint } from '#web/features/site/tint.ts'

test.each(['', 'red;}body{display:none', 'url("x")', '</style>', 'a'.repeat(100)])('%j is no colour', (color) => {
  expect(tint(color)).toEqual({})
})

test.each(['#c8372d', 'tomato', 'rgb(1, 2, 3)'])('%s is one', (color) => {
  expect(tint(color).color).toContain(color)
})
