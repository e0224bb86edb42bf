import { expect, test } from 'vitest'
import { ownColor } from '#web/features/site/shell/entry-title.tsx'

test.each(['', 'red;}body{display:none', 'url("x")', '</style>', 'a'.repeat(100)])('%j is not a colour', (color) => {
  expect(ownColor(color)).toBeUndefined()
})

test.each(['#c8372d', 'tomato', 'rgb(1, 2, 3)'])('%s is used as it is', (color) => {
  expect(ownColor(color)?.color).toBe(color)
})
