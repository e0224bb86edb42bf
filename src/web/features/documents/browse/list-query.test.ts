import { expect, test } from 'vitest'
import { DocumentStatus } from '#shared/document-status.ts'
import {
  toRequest,
  hasFilters,
  reachableTotal,
  parseListQuery,
  toQuery,
} from '#web/features/documents/browse/list-query.ts'

const read = (text: string) => parseListQuery(new URLSearchParams(text))

test('a query survives the way from the address and back', () => {
  const address = '?ext=pdf&fee_type=free&language=zh-CN&sort=view&page=3'
  const query = read(address)
  expect(query).toEqual({ ext: 'pdf', fee: 'free', language: 'zh-CN', sort: 'view', page: 3 })
  expect(toQuery(query, { page: 3 })).toBe(address)
})

test('documents for VIP members are a price too', () => {
  expect(toRequest(read('fee_type=vip'), undefined)).toMatchObject({ fee_type: 'vip' })
})

test('a change keeps the other filters and leads to the first page', () => {
  const query = read('fee_type=charge&sort=latest&page=7')
  expect(toQuery(query, { ext: 'doc' })).toBe('?ext=doc&fee_type=charge&sort=latest')
  expect(toQuery(query, { fee: '' })).toBe('?sort=latest')
  expect(toQuery(read('page=4'))).toBe('')
})

test.each(['ext=exe', 'ext=toString', 'fee_type=x', 'language=%3Cscript%3E', 'sort=constructor', 'page=-1'])(
  'an invalid parameter is ignored: %s',
  (text) => {
    expect(read(text)).toEqual(read(''))
    expect(hasFilters(read(text))).toBe(false)
  },
)

test('the default order lists converted documents, the latest lists all', () => {
  expect(toRequest(read(''), 5)).toMatchObject({
    order: 'id desc',
    status: [DocumentStatus.Converted],
    category_id: [5],
    language: [],
    page: 1,
  })
  expect(toRequest(read('sort=latest&language=en'), undefined)).toMatchObject({
    status: [],
    category_id: [],
    language: ['en'],
  })
})

test('the total is limited to the rows that the API returns', () => {
  expect(reachableTotal(42)).toBe(42)
  expect(reachableTotal(1_000_000)).toBe(10_000)
})
