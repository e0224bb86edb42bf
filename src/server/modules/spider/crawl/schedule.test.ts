import { expect, test } from 'vitest'
import { SpiderSchedule } from '#shared/spider.ts'
import { isQuiet, nextRunAt } from './schedule.ts'

const at = (hour: number, day = 17) => new Date(2026, 10, day, hour, 30).getTime()

test.each([
  [SpiderSchedule.Once, null],
  [SpiderSchedule.Hourly, at(9)],
  [SpiderSchedule.Daily, at(8, 18)],
  [SpiderSchedule.Weekly, at(8, 24)],
])('the next run of schedule %i', (schedule, next) => {
  expect(nextRunAt(schedule, at(8))).toBe(next)
})

test.each([
  [0, 0, []],
  [8, 8, []],
  [8, 10, [8, 9]],
  [22, 2, [0, 1, 22, 23]],
])('quiet from %i to %i', (quiet_from, quiet_to, hours) => {
  const quiet = Array.from({ length: 24 }, (_, hour) => hour).filter((hour) =>
    isQuiet({ quiet_from, quiet_to }, at(hour)),
  )
  expect(quiet).toEqual(hours)
})
