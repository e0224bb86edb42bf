import { expect, test } from 'vitest'
import { countedAfter, countWith } from './favorites.ts'

const untouched = { at: 0, change: 0 }

test('the figure follows the button, there and back', () => {
  const kept = countedAfter(untouched, 7, true)
  expect(countWith(7, { counted: kept })).toBe(8)
  expect(countWith(7, { counted: countedAfter(kept, 7, false) })).toBe(7)
})

test('a page that has been loaded again knows better', () => {
  const kept = countedAfter(untouched, 7, true)
  expect(countWith(8, { counted: kept })).toBe(8)
  expect(countWith(8, { counted: countedAfter(kept, 8, false) })).toBe(7)
})

test('it never falls below nothing, however old the figure is', () => {
  expect(countWith(0, { counted: countedAfter(untouched, 0, false) })).toBe(0)
})
