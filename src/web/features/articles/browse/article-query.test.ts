import { expect, test } from 'vitest'
import { ReviewStatus } from '#shared/enums.ts'
import { articleListPath, toRequest, parseArticleQuery } from '#web/features/articles/browse/article-query.ts'

const read = (search: string) => parseArticleQuery(new URLSearchParams(search))

test('the address has the category, the order and the page', () => {
  expect(read('')).toEqual({ category: 0, tab: 'latest', page: 1 })
  expect(read('category_id=7&tab=popular&page=3')).toEqual({ category: 7, tab: 'popular', page: 3 })
})

test('invalid parameters are ignored, but an invalid category is not found', () => {
  expect(read('tab=best&page=-2')).toEqual({ category: 0, tab: 'latest', page: 1 })
  expect(read('category_id=abc').category).toBe(-1)
  expect(read('category_id=1e3').category).toBe(-1)
})

test('any change leads to the first page, and the address leaves out defaults', () => {
  const query = read('category_id=7&tab=popular&page=3')
  expect(articleListPath(query, { tab: 'latest' })).toBe('/article?category_id=7')
  expect(articleListPath(query, { category: 0 })).toBe('/article?tab=popular')
  expect(articleListPath(query, { page: 2 })).toBe('/article?category_id=7&tab=popular&page=2')
  expect(articleListPath({ category: 0, tab: 'latest', page: 5 })).toBe('/article')
})

test('the request is for public articles, in the chosen order', () => {
  expect(toRequest(read('category_id=7&tab=popular&page=3'))).toEqual({
    page: 3,
    size: 10,
    order: 'view_count desc',
    status: [ReviewStatus.Approved],
    category_id: [7],
  })
  expect(toRequest(read('')).category_id).toEqual([])
})
