import dayjs from 'dayjs'
import { expect, test } from 'vitest'
import { presets } from '#web/admin/controls/date-range-picker.tsx'

test('the shortcuts of a range of days reach back a week, one and three months, half a year and a year', () => {
  const days = presets.map(({ value }) => {
    const [from, to] = value()
    expect(to.isSame(dayjs(), 'day')).toBe(true)
    return to.diff(from, 'day')
  })
  expect(days).toEqual([0, 6, 30, 90, 183, 365])
})
