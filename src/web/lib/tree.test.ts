import { expect, test } from 'vitest'
import { pathTo, toTree } from '#web/lib/tree.ts'

const rows = [
  { id: 1, parent_id: 0 },
  { id: 2, parent_id: 1 },
  { id: 3, parent_id: 2 },
  { id: 4, parent_id: 0 },
  { id: 5, parent_id: 99 },
  { id: 6, parent_id: 7 },
  { id: 7, parent_id: 6 },
]

test('children are placed under their parents in the given order; orphans and cycles are left out', () => {
  expect(toTree(rows)).toEqual([
    { id: 1, parent_id: 0, children: [{ id: 2, parent_id: 1, children: [{ id: 3, parent_id: 2, children: [] }] }] },
    { id: 4, parent_id: 0, children: [] },
  ])
})

test('the path to a node names its ancestors', () => {
  expect(pathTo(toTree(rows), 3).map(({ id }) => id)).toEqual([1, 2, 3])
  expect(pathTo(toTree(rows), 5)).toEqual([])
})
