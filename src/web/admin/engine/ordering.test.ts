import { expect, test } from 'vitest'
import { changedSpan, movedTo, placeAt, siblingsOf } from '#web/admin/engine/ordering.ts'

const rows = [1, 2, 3, 4].map((id) => ({ id, parent_id: id === 4 ? 1 : 0, type: 0 }))
const top = rows.slice(0, 3)
const idsOf = (list: readonly { id: number }[]) => list.map(({ id }) => id)

test('a row is ordered among those that are alike in what keeps them apart', () => {
  expect(idsOf(siblingsOf(rows, { id: 2, parent_id: 0 }, ['parent_id']))).toEqual([1, 2, 3])
  expect(idsOf(siblingsOf(rows, { id: 4, parent_id: 1 }, ['parent_id']))).toEqual([4])
  expect(idsOf(siblingsOf(rows, { id: 2 }, []))).toEqual([1, 2, 3, 4])
})

test.each([
  ['up', 3, 0, [3, 1, 2]],
  ['down', 1, 1, [2, 1, 3]],
  ['to the end', 1, 2, [2, 3, 1]],
  ['nowhere', 2, 1, [1, 2, 3]],
])('a row goes %s', (_where, id, place, order) => {
  expect(idsOf(movedTo(top, id, place))).toEqual(order)
})

test('only those whose places change are named', () => {
  expect(changedSpan(rows, movedTo(rows, 3, 1))).toEqual([3, 2])
  expect(changedSpan(rows, movedTo(rows, 1, 3))).toEqual([2, 3, 4, 1])
  expect(changedSpan(rows, rows)).toEqual([])
})

test('one lets go before the first whose middle is below the hand', () => {
  const middles = [20, 60, 100]
  expect([0, 30, 61, 500].map((y) => placeAt(middles, y))).toEqual([0, 1, 2, 3])
})
