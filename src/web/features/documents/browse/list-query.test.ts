import { expect, test } from 'vitest'
import { askOf, isNarrowed, reachable, readQuery, searchWith } from '#web/features/documents/browse/list-query.ts'

const read = (text: string) => readQuery(new URLSearchParams(text))

test('an address says what a list shows, and the list says its address', () => {
  const address = '?ext=pdf&fee_type=free&language=zh-CN&sort=view&page=3'
  const query = read(address)
  expect(query).toEqual({ ext: 'pdf', fee: 'free', language: 'zh-CN', sort: 'view', page: 3 })
  expect(searchWith(query, { page: 3 })).toBe(address)
})

test('choosing one thing keeps the others and begins at the first page', () => {
  const query = read('fee_type=charge&sort=latest&page=7')
  expect(searchWith(query, { ext: 'doc' })).toBe('?ext=doc&fee_type=charge&sort=latest')
  expect(searchWith(query, { fee: '' })).toBe('?sort=latest')
  expect(searchWith(read('page=4'))).toBe('')
})

test.each(['ext=exe', 'ext=toString', 'fee_type=x', 'language=%3Cscript%3E', 'sort=constructor', 'page=-1'])(
  'what makes no sense narrows nothing: %s',
  (text) => {
    expect(read(text)).toEqual(read(''))
    expect(isNarrowed(read(text))).toBe(false)
  },
)

test('by itself a list shows what can be read, newest first; asked for the latest, everything', () => {
  expect(askOf(read(''), 5)).toMatchObject({ order: 'id desc', status: [2], category_id: [5], language: [], page: 1 })
  expect(askOf(read('sort=latest&language=en'), undefined)).toMatchObject({
    status: [],
    category_id: [],
    language: ['en'],
  })
})

test('nobody leafs further than the interface goes', () => {
  expect(reachable(42)).toBe(42)
  expect(reachable(1_000_000)).toBe(10_000)
})
