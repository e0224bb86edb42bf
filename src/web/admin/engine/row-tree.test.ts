import { expect, test } from 'vitest'
import { flattenRowTree, toRowTree } from '#web/admin/engine/row-tree.ts'

const rows = [
  { id: 1, parent_id: 0 },
  { id: 4, parent_id: 0 },
  { id: 2, parent_id: 1 },
  { id: 3, parent_id: 2 },
  { id: 9, parent_id: 8 },
]

test('rows stand under their parents, and at the root when the parent is not listed', () => {
  expect(toRowTree(rows)).toEqual([
    { id: 1, parent_id: 0, children: [{ id: 2, parent_id: 1, children: [{ id: 3, parent_id: 2 }] }] },
    { id: 4, parent_id: 0 },
    { id: 9, parent_id: 8 },
  ])
})

test('flattened, each row follows its parent', () => {
  expect(flattenRowTree(rows).map(({ row, depth }) => [row.id, depth])).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 0],
    [9, 0],
  ])
})
