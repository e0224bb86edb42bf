import { expect, test } from 'vitest'
import { readableColor } from '#web/features/site/shell/readable-color.ts'

test.each(['', 'red;}body{display:none', 'url("x")', '</style>', 'a'.repeat(100)])('%j is not a colour', (color) => {
  expect(readableColor(color)).toEqual({})
})

test.each(['#c8372d', 'tomato', 'rgb(1, 2, 3)'])('%s is a colour', (color) => {
  expect(readableColor(color).color).toContain(color)
})
