import { expect, test } from 'vitest'
import { parseRetryAfter } from './retry-after.ts'

const now = Date.UTC(2026, 10, 17, 12)
const minute = 60_000
const day = 24 * 60 * minute

test.each([
  ['120', 2 * minute],
  [' 0 ', 0],
  ['99999999999999999999', day],
  ['Tue, 17 Nov 2026 12:05:00 GMT', 5 * minute],
  ['Tuesday, 17-Nov-26 12:05:00 GMT', 5 * minute],
  ['Tue Nov 17 12:05:00 2026', 5 * minute],
  ['Tue, 17 Nov 2020 12:05:00 GMT', 0],
  ['Tue, 17 Nov 2099 12:05:00 GMT', day],
])('%j waits for %i ms', (header, wait) => {
  expect(parseRetryAfter(header, now)).toBe(now + wait)
})

test.each([undefined, '', '-5', '1.5', 'soon', '1 hour', 'Tue, never'])('%j says nothing', (header) => {
  expect(parseRetryAfter(header, now)).toBeUndefined()
})
