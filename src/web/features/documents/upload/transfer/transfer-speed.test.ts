import { expect, test } from 'vitest'
import { transferSpeed, remainingText } from '#web/features/documents/upload/transfer/transfer-speed.ts'

test('the speed is that of the last seconds, not of the whole upload', () => {
  const speed = transferSpeed()
  expect(speed.measure(0, 0)).toBe(0)
  expect(speed.measure(100, 100)).toBe(0)
  expect(speed.measure(1000, 1000)).toBe(1000)
  expect(speed.measure(1100, 7000)).toBe(0)
  expect(speed.measure(3100, 8000)).toBe(2000)
})

test('the remaining time is given in the largest fitting unit', () => {
  expect(remainingText(1000, 0)).toBe('')
  expect(remainingText(1000, 100)).toBe('还剩 10 秒')
  expect(remainingText(100_000, 100)).toBe('还剩 17 分钟')
  expect(remainingText(1_000_000, 100)).toBe('还剩 2 小时 47 分钟')
})
