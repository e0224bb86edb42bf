import { expect, test } from 'vitest'
import { formatCountdown, serverNow } from '#web/lib/countdown.ts'

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

test.each([
  ['right', 0],
  ['an hour fast', hour],
  ['two days slow', -2 * day],
])('the time that is left is that of the server, on a device whose clock is %s', (_name, error) => {
  const until = Date.UTC(2026, 10, 17, 12)
  const answer = { now: until - 30 * minute, arrivedAt: until - 30 * minute + error }
  const left = (passed: number) => formatCountdown(until - serverNow(answer, answer.arrivedAt + passed))
  expect(left(0)).toBe('00:30:00')
  expect(left(29 * minute + 59 * second)).toBe('00:00:01')
  expect(left(31 * minute)).toBe('00:00:00')
})
