import dayjs from 'dayjs'
import { afterEach, expect, test, vi } from 'vitest'
import { months, presets } from '#web/admin/controls/date-range-picker.tsx'

afterEach(() => {
  vi.useRealTimers()
})

test('the shortcuts of a range of days reach back a week, one and three months, half a year and a year', () => {
  const days = presets.map(({ value }) => {
    const [from, to] = value()
    expect(to.isSame(dayjs(), 'day')).toBe(true)
    return to.diff(from, 'day')
  })
  expect(days).toEqual([0, 6, 30, 90, 183, 365])
})

test('this month and the last one are whole months, also on the last day of a long one', () => {
  vi.useFakeTimers({ now: new Date(2028, 2, 31) })
  const days = months.map(({ value }) => value().map((day) => day.format('YYYY-MM-DD')))
  expect(days).toEqual([
    ['2028-03-01', '2028-03-31'],
    ['2028-02-01', '2028-02-29'],
  ])
})
