import { expect, test } from 'vitest'
import { addressOf, isNarrowed, ownDays, readNarrowing, timesOf } from '#web/features/users/narrowing.ts'

const statuses = { waiting: '待审核' }
const all = { wd: '', status: '', time: '', from: '', to: '' }

function read(query: string) {
  return readNarrowing(new URLSearchParams(query), statuses)
}

test('what makes no sense in the address narrows nothing', () => {
  expect(read('')).toEqual(all)
  expect(read('status=constructor&time=toString&from=yesterday&to=2026-13-40')).toEqual(all)
  expect(isNarrowed(read('wd=%20&page=3'))).toBe(false)
})

test('a period stands before days of one’s own', () => {
  expect(read('time=week&from=2026-01-01')).toEqual({ ...all, time: 'week' })
  expect(read('from=2026-01-01&to=2026-02-01')).toEqual({ ...all, from: '2026-01-01', to: '2026-02-01' })
})

test('an address is read as it was written', () => {
  const narrowing = { wd: '中学 & 小学', status: 'waiting', time: '', from: '2026-01-01', to: '' }
  expect(read(addressOf(narrowing))).toEqual(narrowing)
  expect(addressOf({ wd: '', time: ownDays, from: '2026-01-01', to: '' })).toBe('?from=2026-01-01')
})

test('the interface is asked for times from and to', () => {
  const now = Date.UTC(2026, 5, 8, 12)
  expect(timesOf(all, now)).toEqual([])
  expect(timesOf({ ...all, time: 'week' }, now)).toEqual(['2026-06-01T12:00:00.000Z'])
  expect(timesOf({ ...all, from: '2026-01-01' }, now)).toEqual(['2026-01-01'])
  expect(timesOf({ ...all, to: '2026-02-01' }, now)).toEqual(['1970-01-01', '2026-02-01'])
})
