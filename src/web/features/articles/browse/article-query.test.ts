import { expect, test } from 'vitest'
import { addressWith, askOf, readQuery } from '#web/features/articles/browse/article-query.ts'

const read = (search: string) => readQuery(new URLSearchParams(search))

test('an address says which articles, in which order, which page', () => {
  expect(read('')).toEqual({ category: 0, tab: 'latest', page: 1 })
  expect(read('category_id=7&tab=popular&page=3')).toEqual({ category: 7, tab: 'popular', page: 3 })
})

test('what makes no sense in an address narrows nothing, except a category that there cannot be', () => {
  expect(read('tab=best&page=-2')).toEqual({ category: 0, tab: 'latest', page: 1 })
  expect(read('category_id=abc').category).toBe(-1)
  expect(read('category_id=1e3').category).toBe(-1)
})

test('whatever changes, one begins at the first page, and only what says something stands in the address', () => {
  const query = read('category_id=7&tab=popular&page=3')
  expect(addressWith(query, { tab: 'latest' })).toBe('/article?category_id=7')
  expect(addressWith(query, { category: 0 })).toBe('/article?tab=popular')
  expect(addressWith(query, { page: 2 })).toBe('/article?category_id=7&tab=popular&page=2')
  expect(addressWith({ category: 0, tab: 'latest', page: 5 })).toBe('/article')
})

test('the interface is asked for what is public, the most read first where that is wanted', () => {
  expect(askOf(read('category_id=7&tab=popular&page=3'))).toEqual({
    page: 3,
    size: 10,
    order: 'view_count desc',
    status: [1],
    category_id: [7],
  })
  expect(askOf(read('')).category_id).toEqual([])
})
