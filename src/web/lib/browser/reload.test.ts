import { expect, test } from 'vitest'
import { mayReload } from '#web/lib/browser/reload.ts'

const now = 1_800_000_000_000

test.each([
  ['never before', null, true],
  ['a moment ago', now, false],
  ['59.999 s ago', now - 59_999, false],
  ['60 s ago', now - 60_000, true],
  ['an hour ago', now - 3_600_000, true],
  ['in the future, after the clock was set back', now + 3_600_000, true],
  ['nonsense', 'x', true],
])('last reload %s', (_name, last, allowed) => {
  expect(mayReload(last === null ? null : String(last), now)).toBe(allowed)
})
