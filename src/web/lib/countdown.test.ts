import { expect, test } from 'vitest'
import { formatCountdown } from '#web/lib/countdown.ts'

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]

test.each([
  ['days', 2 * day + 3 * hour + 4 * minute + 5 * second, '2 天 03:04:05'],
  ['a day', day, '1 天 00:00:00'],
  ['hours', 23 * hour + 59 * minute + 59 * second, '23:59:59'],
  ['half an hour', 30 * minute, '00:30:00'],
  ['a begun second, which still counts', 1, '00:00:01'],
  ['nothing', 0, '00:00:00'],
  ['a time that is over', -5 * day, '00:00:00'],
])('a countdown of %s', (_name, ms, text) => {
  expect(formatCountdown(ms)).toBe(text)
})
