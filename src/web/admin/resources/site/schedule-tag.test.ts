import { expect, test } from 'vitest'
import { getScheduleState } from '#web/admin/resources/site/schedule-tag.tsx'

const now = 1000

test.each([
  ['投放中', { enable: true, start_time: null, end_time: null }],
  ['投放中', { enable: true, start_time: 1000, end_time: 1001 }],
  ['未开始', { enable: true, start_time: 1001, end_time: null }],
  ['已结束', { enable: true, start_time: null, end_time: 1000 }],
  ['停用', { enable: false, start_time: null, end_time: 1001 }],
])('%s', (state, row) => {
  expect(getScheduleState(row, now)).toBe(state)
})
