import { expect, test } from 'vitest'
import { activeIndex } from '#web/features/articles/use-active-heading.ts'

test('the active heading is the last one that has reached the header', () => {
  expect(activeIndex([])).toBe(-1)
  expect(activeIndex([300, 900])).toBe(-1)
  expect(activeIndex([-500, 80, 900])).toBe(1)
  expect(activeIndex([-900, -500, -20])).toBe(2)
})
