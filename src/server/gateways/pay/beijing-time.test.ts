import { expect, test } from 'vitest'
import { parseBeijingTime, startOfBeijingDay, toBeijingDay, toBeijingTime } from './beijing-time.ts'

test('a time is Beijing’s, and so is its day', () => {
  const at = Date.UTC(2026, 11, 31, 16, 0, 1)
  expect([toBeijingTime(at), toBeijingDay(at)]).toEqual(['2027-01-01 00:00:01', '2027-01-01'])
  expect(startOfBeijingDay('2027-01-01')).toBe(at - 1000)
})

test.each([
  ['2026-11-17 08:00:00', Date.UTC(2026, 10, 17)],
  ['2026-11-17 08:00:00.25', Date.UTC(2026, 10, 17)],
  ['2026-11-17 08:00:00 and more', null],
  ['2026-02-31 99:00:00', null],
  ['0000-00-00 00:00:00', null],
  ['yesterday', null],
  [undefined, null],
])('%s in Beijing is %j', (text, at) => {
  expect(parseBeijingTime(text)).toBe(at)
})
