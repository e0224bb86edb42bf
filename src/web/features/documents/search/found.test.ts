import { expect, test } from 'vitest'
import { countText } from '#web/features/documents/search/found.ts'

test('where counting ends there may be more', () => {
  expect(countText(1234, false)).toBe('1,234 份')
  expect(countText(1000, true)).toBe('超过 1,000 份')
})
