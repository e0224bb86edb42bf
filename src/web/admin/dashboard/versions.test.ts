import { expect, test } from 'vitest'
import { isNewer } from '#web/admin/dashboard/versions.ts'

test.each([
  ['v0.2.0', '0.1.0', true],
  ['v1.10.0', '1.9.3', true],
  ['1.0', '1.0.0', false],
  ['v0.1.0', '0.1.0', false],
  ['v0.0.9', '0.1.0', false],
  ['v1.0.0', '1.0.0-rc.1', true],
  ['v1.0.0-rc.1', '1.0.0', false],
  ['v1.0.0-rc.2', '1.0.0-rc.1', true],
  ['', '0.1.0', false],
  ['latest', '0.1.0', false],
])('whether %s is newer than %s: %s', (tag, current, newer) => {
  expect(isNewer(tag, current)).toBe(newer)
})
