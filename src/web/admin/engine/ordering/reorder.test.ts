import { expect, test } from 'vitest'
import { changedRange, moveRow, dropIndex, findSiblings } from '#web/admin/engine/ordering/reorder.ts'

const rows = [1, 2, 3, 4].map((id) => ({ id, parent_id: id === 4 ? 1 : 0, type: 'a' }))
const top = rows.slice(0, 3)
const getIds = (list: readonly { id: number }[]) => list.map(({ id }) => id)

test('a row is ordered among the rows with the same parent or type', () => {
  expect(getIds(findSiblings(rows, { id: 2, parent_id: 0 }, ['parent_id']))).toEqual([1, 2, 3])
  expect(getIds(findSiblings(rows, { id: 4, parent_id: 1 }, ['parent_id']))).toEqual([4])
  expect(getIds(findSiblings(rows, { id: 2 }, []))).toEqual([1, 2, 3, 4])
})

test.each([
  ['up', 3, 0, [3, 1, 2]],
  ['down', 1, 1, [2, 1, 3]],
  ['to the end', 1, 2, [2, 3, 1]],
  ['nowhere', 2, 1, [1, 2, 3]],
])('a row goes %s', (_direction, id, index, order) => {
  expect(getIds(moveRow(top, id, index))).toEqual(order)
})

test('only the rows whose positions change are sent', () => {
  expect(changedRange(rows, moveRow(rows, 3, 1))).toEqual([3, 2])
  expect(changedRange(rows, moveRow(rows, 1, 3))).toEqual([2, 3, 4, 1])
  expect(changedRange(rows, rows)).toEqual([])
})

test('a row is dropped before the first row whose middle is below the pointer', () => {
  const middles = [20, 60, 100]
  expect([0, 30, 61, 500].map((y) => dropIndex(middles, y))).toEqual([0, 1, 2, 3])
})
