import { expect, test } from 'vitest'
import { formatCountdown, formatRelative, formatSize } from './format.ts'

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.00 KB'],
  [1536, '1.50 KB'],
  [5 * 1024 ** 3, '5.00 GB'],
  [1024 ** 9, '1024.00 YB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})

const minute = 60_000
const day = 24 * 60 * minute

test.each([
  [59_999, '刚刚'],
  [minute, '1 分钟前'],
  [59 * minute, '59 分钟前'],
  [60 * minute, '1 小时前'],
  [day, '1 天前'],
  [30 * day, '1 个月前'],
  [360 * day, '1 年前'],
])('%d ms ago is %s', (passed, text) => {
  expect(formatRelative(0, passed)).toBe(text)
})

test.each([
  [-5000, '00:00:00'],
  [0, '00:00:00'],
  [1, '00:00:01'],
  [30 * minute, '00:30:00'],
  [day - 1000, '23:59:59'],
  [day, '1 天 00:00:00'],
  [40 * day + 3 * 60 * minute + 4 * minute + 5000, '40 天 03:04:05'],
])('%d ms to go is %s', (left, text) => {
  expect(formatCountdown(left)).toBe(text)
})
