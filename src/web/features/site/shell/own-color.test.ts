import { expect, test } from 'vitest'
import { ownColor } from '#web/features/site/shell/own-color.ts'

test.each(['', 'red;}body{display:none', 'url("x")', '</style>', 'a'.repeat(100)])('%j is not a colour', (color) => {
  expect(ownColor(color)).toEqual({})
})

test.each(['#c8372d', 'tomato', 'rgb(1, 2, 3)'])('%s is used as it is', (color) => {
  expect(ownColor(color).color).toBe(color)
})
