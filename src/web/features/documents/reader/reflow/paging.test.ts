import { expect, test } from 'vitest'
import { screenEnd, swipeOf, tapOf } from '#web/features/documents/reader/reflow/paging.ts'

const lines = (...tops: number[]) => tops.map((top) => ({ top, bottom: top + 20 }))

test('a screen ends above the line that it would cut', () => {
  expect(screenEnd(lines(0, 30, 60, 90), { top: 0, bottom: 100 })).toBe(90)
  expect(screenEnd(lines(0, 30, 60), { top: 0, bottom: 100 })).toBe(100)
})

test('the lines of two cells are both whole', () => {
  expect(screenEnd([...lines(60, 90), ...lines(75, 95)], { top: 0, bottom: 100 })).toBe(60)
})

test('what is higher than a screen is shown in part', () => {
  expect(screenEnd([{ top: 10, bottom: 900 }], { top: 0, bottom: 100 })).toBe(100)
})

test('a swipe to the left or upwards turns to the next screen; a tap and a finger that rests are none', () => {
  expect(swipeOf({ x: -80, y: 10, ms: 200 })).toBe('next')
  expect(swipeOf({ x: 80, y: 10, ms: 200 })).toBe('previous')
  expect(swipeOf({ x: 5, y: -90, ms: 200 })).toBe('next')
  expect(swipeOf({ x: 5, y: 6, ms: 100 })).toBeUndefined()
  expect(swipeOf({ x: 90, y: 0, ms: 1500 })).toBeUndefined()
})

test('the sides of the screen turn, its middle shows the bar', () => {
  expect([0.1, 0.5, 0.9].map(tapOf)).toEqual(['previous', 'bar', 'next'])
})
