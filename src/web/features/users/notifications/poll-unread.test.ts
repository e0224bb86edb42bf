import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pollDelay, pollUnread } from '#web/features/users/notifications/poll-unread.ts'

const minute = 60_000
const page = Object.assign(new EventTarget(), { hidden: false })

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  page.hidden = false
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('waits longer while nothing happens, and longer still while requests fail', () => {
  expect(pollDelay({ failures: 0, equal: 0 })).toBe(minute)
  expect(pollDelay({ failures: 0, equal: 10 })).toBe(2 * minute)
  expect(pollDelay({ failures: 0, equal: 1000 })).toBe(5 * minute)
  expect(pollDelay({ failures: 1, equal: 0 })).toBe(2 * minute)
  expect(pollDelay({ failures: 30, equal: 0 })).toBe(10 * minute)
})

test('asks at once and then every minute, stops while the page is hidden, and goes on when it is shown', async () => {
  const counts: number[] = []
  let asked = 0
  const stop = pollUnread(
    async () => (asked += 1),
    (count) => counts.push(count),
  )
  await vi.advanceTimersByTimeAsync(0)
  await vi.advanceTimersByTimeAsync(minute)
  expect(counts).toEqual([1, 2])
  show(false)
  await vi.advanceTimersByTimeAsync(30 * minute)
  expect(asked).toBe(2)
  show(true)
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toBe(3)
  for (let times = 0; times < 5; times += 1) {
    show(false)
    show(true)
    await vi.advanceTimersByTimeAsync(0)
  }
  expect(asked).toBe(3)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(asked).toBe(4)
  stop()
  await vi.advanceTimersByTimeAsync(30 * minute)
  show(true)
  await vi.advanceTimersByTimeAsync(minute)
  expect(asked).toBe(4)
})

test('a failure keeps the count, and the next request comes later', async () => {
  const counts: number[] = []
  let asked = 0
  const stop = pollUnread(
    async () => {
      asked += 1
      if (asked === 2) throw new Error('away')
      return 7
    },
    (count) => counts.push(count),
  )
  await vi.advanceTimersByTimeAsync(minute)
  expect([asked, counts]).toEqual([2, [7]])
  await vi.advanceTimersByTimeAsync(minute)
  expect(asked).toBe(2)
  await vi.advanceTimersByTimeAsync(minute)
  expect([asked, counts]).toEqual([3, [7, 7]])
  stop()
})

function show(isShown: boolean): void {
  page.hidden = !isShown
  page.dispatchEvent(new Event('visibilitychange'))
}
