import { expect, test } from 'vitest'
import { applyOrder } from './manual-order.ts'

const rows = [1, 2, 3, 4, 5].map((id) => ({ id }))

test.each([
  ['neighbours swap', [3, 2], [1, 3, 2, 4, 5]],
  ['a row moves over several', [5, 1, 2, 3, 4], [5, 1, 2, 3, 4]],
  ['a row that is not named keeps its position', [5, 3, 1], [5, 2, 3, 4, 1]],
  ['an unknown id changes nothing', [9, 2], [1, 2, 3, 4, 5]],
])('%s', (_name, ids, order) => {
  expect(applyOrder(rows, ids).map(({ id }) => id)).toEqual(order)
})
