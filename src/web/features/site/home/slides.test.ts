import { expect, test } from 'vitest'
import { placeAfter, strokeOf } from '#web/features/site/home/slides.ts'

test('after the last slide comes the first, and before the first the last', () => {
  expect(placeAfter(0, 1, 3)).toBe(1)
  expect(placeAfter(2, 1, 3)).toBe(0)
  expect(placeAfter(0, -1, 3)).toBe(2)
  expect(placeAfter(0, -4, 3)).toBe(2)
  expect(placeAfter(0, 1, 1)).toBe(0)
  expect(placeAfter(0, 1, 0)).toBe(0)
})

test('a stroke to the left brings the next slide, to the right the one before', () => {
  expect(strokeOf({ x: -80, y: 10 })).toBe(1)
  expect(strokeOf({ x: 80, y: -10 })).toBe(-1)
})

test('a touch or scrolling turns nothing', () => {
  expect(strokeOf({ x: -12, y: 0 })).toBe(0)
  expect(strokeOf({ x: -80, y: 120 })).toBe(0)
})
