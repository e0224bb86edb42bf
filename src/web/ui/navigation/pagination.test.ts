import { expect, test } from 'vitest'
import { parsePage, pageNumbers } from '#web/ui/navigation/pagination.tsx'

test.each([
  [1, 2, [1, 2]],
  [1, 9, [1, 2, 3, -9, 9]],
  [5, 9, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [6, 20, [1, -4, 4, 5, 6, 7, 8, -20, 20]],
  [20, 20, [1, -18, 18, 19, 20]],
])('page %i of %i', (page, pages, shown) => {
  expect(pageNumbers(page, pages)).toEqual(shown)
})

test.each([
  ['page=3', 3],
  ['', 1],
  ['page=-2', 1],
  ['page=x', 1],
  ['page=1.5', 1],
])('query %s is page %i', (query, page) => {
  expect(parsePage(new URLSearchParams(query))).toBe(page)
})
