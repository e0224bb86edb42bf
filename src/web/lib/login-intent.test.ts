import { expect, onTestFinished, test, vi } from 'vitest'
import { findReason, saveIntent, takeIntent } from '#web/lib/login-intent.ts'

const path = '/document/1'

test('what was asked for is done once, for the thing it was asked for', () => {
  saveIntent('download', 7, { path, why: '登录后即可下载《报告》' })
  expect(findReason(path)).toBe('登录后即可下载《报告》')
  expect(findReason('/document/2')).toBe('')
  expect(takeIntent('download', 8)).toBe(false)
  expect(takeIntent('favorite', 7)).toBe(false)
  expect(takeIntent('download', 7)).toBe(true)
  expect(takeIntent('download', 7)).toBe(false)
  expect(findReason(path)).toBe('')
})

test('later it is no longer wanted, and the last one counts', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  saveIntent('download', 7, { path, why: '' })
  saveIntent('favorite', 7, { path, why: '' })
  expect(takeIntent('download', 7)).toBe(false)
  vi.advanceTimersByTime(31 * 60_000)
  expect(takeIntent('favorite', 7)).toBe(false)
})
