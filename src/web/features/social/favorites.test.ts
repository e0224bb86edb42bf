import { expect, test } from 'vitest'
import { countAfterToggle, displayedCount } from '#web/features/social/favorites.ts'

const untouched = { at: 0, change: 0 }

test('the count follows the button in both directions', () => {
  const added = countAfterToggle(untouched, 7, true)
  expect(displayedCount(7, { localCount: added })).toBe(8)
  expect(displayedCount(7, { localCount: countAfterToggle(added, 7, false) })).toBe(7)
})

test('the count of a page that was loaded again takes precedence', () => {
  const added = countAfterToggle(untouched, 7, true)
  expect(displayedCount(8, { localCount: added })).toBe(8)
  expect(displayedCount(8, { localCount: countAfterToggle(added, 8, false) })).toBe(7)
})

test('the count never falls below zero', () => {
  expect(displayedCount(0, { localCount: countAfterToggle(untouched, 0, false) })).toBe(0)
})
