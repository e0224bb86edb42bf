import { expect, test } from 'vitest'
import { readingBelow } from '#web/features/articles/use-active-heading.ts'

test('the part one reads is the last whose heading has gone up to the header', () => {
  expect(readingBelow([])).toBe(-1)
  expect(readingBelow([300, 900])).toBe(-1)
  expect(readingBelow([-500, 80, 900])).toBe(1)
  expect(readingBelow([-900, -500, -20])).toBe(2)
})
