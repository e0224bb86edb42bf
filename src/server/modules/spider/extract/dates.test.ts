import { expect, test } from 'vitest'
import { findDate, parseDate } from './dates.ts'

test.each([
  ['2026-11-03', '2026-11-03T00:00:00'],
  ['2026/11/3 9:05', '2026-11-03T09:05:00'],
  ['2026.11.03', '2026-11-03T00:00:00'],
  ['发布时间：2026年11月3日', '2026-11-03T00:00:00'],
  ['2026年11月3日 星期二 10时30分15秒', '2026-11-03T10:30:15'],
  ['2026-11-03T10:30:15Z', '2026-11-03T10:30:15Z'],
  ['2026-11-03T10:30:15.123+0100', '2026-11-03T10:30:15+01:00'],
  ['Tue, 03 Nov 2026 10:30:15 GMT', '2026-11-03T10:30:15Z'],
  ['Tue, 03 Nov 2026 10:30:15 +0800', '2026-11-03T10:30:15+08:00'],
])('%s', (text, time) => {
  expect(parseDate(text)).toBe(Date.parse(time))
})

test.each(['', '昨天', '2026-13-03', '2026-02-30', '12026-11-03', '2026-11-031', '0001-01-01', '电话 0755-1234-56'])(
  '%j is no date',
  (text) => {
    expect(parseDate(text)).toBeUndefined()
  },
)

test('a text is dated by its label, then by its first Chinese date', () => {
  const day = (date: string) => Date.parse(`${date}T00:00:00`)
  expect(findDate('成立于2001年1月1日。发布日期： 2026-11-03')).toBe(day('2026-11-03'))
  expect(findDate('今天是2026年12月24日 会议于2026年11月3日召开，2026年11月5日结束')).toBe(day('2026-11-03'))
  expect(findDate('版本 2026.11.3')).toBeUndefined()
})
