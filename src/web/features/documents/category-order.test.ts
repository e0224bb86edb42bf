import { expect, test } from 'vitest'
import { orderFromRoot } from '#web/features/documents/category-order.ts'

test('categories are sorted from the root down', () => {
  const categories = [
    { id: 7, parent_id: 3 },
    { id: 1, parent_id: 0 },
    { id: 3, parent_id: 1 },
  ]
  expect(orderFromRoot(categories).map(({ id }) => id)).toEqual([1, 3, 7])
})

test('no categories, a cycle and a missing parent are handled', () => {
  expect(orderFromRoot([])).toEqual([])
  expect(
    orderFromRoot([
      { id: 1, parent_id: 2 },
      { id: 2, parent_id: 1 },
    ]),
  ).toEqual([])
  expect(orderFromRoot([{ id: 5, parent_id: 4 }])).toEqual([{ id: 5, parent_id: 4 }])
})
