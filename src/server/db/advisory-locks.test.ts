import { expect, test } from 'vitest'
import { AdvisoryLock } from './advisory-locks.ts'

test('no two advisory locks share a key', () => {
  const keys = Object.values(AdvisoryLock)
  expect(new Set(keys).size).toBe(keys.length)
})
