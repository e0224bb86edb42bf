import { expect, test } from 'vitest'
import { slideAfter, swipeDirection } from '#web/features/site/home/slides.ts'

test('after the last slide comes the first, and before the first the last', () => {
  expect(slideAfter(0, 1, 3)).toBe(1)
  expect(slideAfter(2, 1, 3)).toBe(0)
  expect(slideAfter(0, -1, 3)).toBe(2)
  expect(slideAfter(0, -4, 3)).toBe(2)
  expect(slideAfter(0, 1, 1)).toBe(0)
  expect(slideAfter(0, 1, 0)).toBe(0)
})

test('a swipe to the left shows the next slide, to the right the previous one', () => {
  expect(swipeDirection({ x: -80, y: 10 })).toBe(1)
  expect(swipeDirection({ x: 80, y: -10 })).toBe(-1)
})

test('a tap and scrolling change nothing', () => {
  expect(swipeDirection({ x: -12, y: 0 })).toBe(0)
  expect(swipeDirection({ x: -80, y: 120 })).toBe(0)
})
