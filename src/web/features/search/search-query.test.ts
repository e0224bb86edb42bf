import { ContentType } from '#shared/enums.ts'
import { expect, test } from 'vitest'
import {
  toArticleRequest,
  toDocumentRequest,
  countFilters,
  parseSearch,
  searchUrl,
  withoutFilters,
} from '#web/features/search/search-query.ts'

const read = (text: string) => parseSearch(new URLSearchParams(text))
const full = 'wd=gaoshu&type=0&ext=pdf&fee_type=vip&category_id=7&language=zh-CN&sort=latest&duration=week&page=3'

test('a search survives the way from the address and back', () => {
  const query = read(full)
  expect(query).toEqual({
    words: 'gaoshu',
    type: ContentType.Document,
    ext: 'pdf',
    fee: 'vip',
    category: 7,
    language: 'zh-CN',
    sort: 'latest',
    duration: 'week',
    page: 3,
  })
  expect(searchUrl(query, { page: 3 })).toBe(`/search?${full}`)
})

test('a change keeps the other filters and leads to the first page', () => {
  expect(searchUrl(read(full), { ext: 'doc' })).toBe(
    '/search?wd=gaoshu&type=0&ext=doc&fee_type=vip&category_id=7&language=zh-CN&sort=latest&duration=week',
  )
  expect(withoutFilters(read(full)), 'the order is no filter').toBe('/search?wd=gaoshu&type=0&sort=latest')
  expect(countFilters(read(full))).toBe(5)
  expect(countFilters(read('wd=a&sort=size&page=2'))).toBe(0)
})

test.each([
  'type=2',
  'ext=exe',
  'ext=toString',
  'fee_type=cheap',
  'category_id=-1',
  'category_id=1e3',
  'language=%3Cscript%3E',
  'sort=constructor',
  'duration=forever',
  'duration=valueOf',
  'page=0',
])('an invalid parameter is ignored: %s', (text) => {
  expect(read(`wd=a&${text}`)).toEqual(read('wd=a'))
})

test('articles are filtered by category and time, and have their own orders', () => {
  const query = read('wd=a&type=1&ext=pdf&fee_type=free&language=zh-CN&category_id=7&sort=view_count&duration=day')
  expect(searchUrl(query)).toBe('/search?wd=a&type=1&category_id=7&sort=view_count&duration=day')
  expect(countFilters(query)).toBe(2)
  expect(toArticleRequest(query, Date.UTC(2026, 2, 10))).toEqual({
    wd: 'a',
    page: 1,
    category_id: [7],
    sort: 'view_count',
    created_at: ['2026-03-09T00:00:00.000Z'],
  })
  expect(read('wd=a&type=1&sort=pages').sort, 'articles have no pages').toBe('default')
  expect(read('wd=a&sort=view_count').sort).toBe('default')
})

test('documents are searched by price', () => {
  expect(toDocumentRequest(read('wd=a&fee_type=vip'), 0).fee_type).toBe('vip')
})

test('words are trimmed and truncated', () => {
  expect(read('wd=%20%E6%95%B0%E5%AD%A6%20').words).toBe('数学')
  expect(read(`wd=${'长'.repeat(5000)}`).words).toHaveLength(200)
})

test('a time range is requested by its start', () => {
  const now = Date.UTC(2026, 2, 10)
  expect(toDocumentRequest(read('wd=a&duration=week'), now).created_at).toEqual(['2026-03-03T00:00:00.000Z'])
  expect(toDocumentRequest(read('wd=a'), now)).toEqual({
    wd: 'a',
    page: 1,
    ext: '',
    fee_type: '',
    category_id: [],
    language: [],
    sort: '',
    created_at: [],
  })
})

test.each([
  ['month', 30],
  ['quarter', 90],
  ['half', 183],
  ['year', 365],
])('a %s has %i days', (duration, days) => {
  const now = Date.UTC(2026, 2, 10)
  const from = new Date(now - days * 86_400_000).toISOString()
  expect(toDocumentRequest(read(`wd=a&duration=${duration}`), now).created_at).toEqual([from])
})
