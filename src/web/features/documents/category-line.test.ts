import { expect, test } from 'vitest'
import { categoryLine } from '#web/features/documents/category-line.ts'

test('categories stand from the root down, whatever order they come in', () => {
  const categories = [
    { id: 7, parent_id: 3 },
    { id: 1, parent_id: 0 },
    { id: 3, parent_id: 1 },
  ]
  expect(categoryLine(categories).map(({ id }) => id)).toEqual([1, 3, 7])
})

test('none, a circle and a lost parent do no harm', () => {
  expect(categoryLine([])).toEqual([])
  expect(
    categoryLine([
      { id: 1, parent_id: 2 },
      { id: 2, parent_id: 1 },
    ]),
  ).toEqual([])
  expect(categoryLine([{ id: 5, parent_id: 4 }])).toEqual([{ id: 5, parent_id: 4 }])
})
