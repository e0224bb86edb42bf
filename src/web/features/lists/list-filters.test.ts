import { expect, test } from 'vitest'
import { toQuery, hasFilters, customDates, parseFilters, toTimeRange } from '#web/features/lists/list-filters.ts'

const statuses = { waiting: '待审核' }
const all = { wd: '', status: '', time: '', from: '', to: '' }

function read(query: string) {
  return parseFilters(new URLSearchParams(query), statuses)
}

test('invalid filters in the address are ignored', () => {
  expect(read('')).toEqual(all)
  expect(read('status=constructor&time=toString&from=yesterday&to=2026-13-40')).toEqual(all)
  expect(hasFilters(read('wd=%20&page=3'))).toBe(false)
})

test('a period takes precedence over custom dates', () => {
  expect(read('time=week&from=2026-01-01')).toEqual({ ...all, time: 'week' })
  expect(read('from=2026-01-01&to=2026-02-01')).toEqual({ ...all, from: '2026-01-01', to: '2026-02-01' })
})

test('filters survive the way into the address and back', () => {
  const filters = { wd: '中学 & 小学', status: 'waiting', time: '', from: '2026-01-01', to: '' }
  expect(read(toQuery(filters))).toEqual(filters)
  expect(toQuery({ wd: '', time: customDates, from: '2026-01-01', to: '' })).toBe('?from=2026-01-01')
})

test('the API gets the time range as from and to', () => {
  const now = Date.UTC(2026, 5, 8, 12)
  expect(toTimeRange(all, now)).toEqual([])
  expect(toTimeRange({ ...all, time: 'week' }, now)).toEqual(['2026-06-01T12:00:00.000Z'])
  expect(toTimeRange({ ...all, from: '2026-01-01' }, now)).toEqual(['2026-01-01'])
  expect(toTimeRange({ ...all, to: '2026-02-01' }, now)).toEqual(['1970-01-01', '2026-02-01'])
})
