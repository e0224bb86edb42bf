import { expect, test } from 'vitest'
import { pace, remaining } from './pace.ts'

test('the speed is that of the last seconds, not of the whole upload', () => {
  const speed = pace()
  expect(speed.note(0, 0)).toBe(0)
  expect(speed.note(100, 100)).toBe(0)
  expect(speed.note(1000, 1000)).toBe(1000)
  expect(speed.note(1100, 7000)).toBe(0)
  expect(speed.note(3100, 8000)).toBe(2000)
})

test('what is left is told in the largest fitting unit', () => {
  expect(remaining(1000, 0)).toBe('')
  expect(remaining(1000, 100)).toBe('还剩 10 秒')
  expect(remaining(100_000, 100)).toBe('还剩 17 分钟')
  expect(remaining(1_000_000, 100)).toBe('还剩 2 小时 47 分钟')
})
