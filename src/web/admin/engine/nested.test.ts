import { expect, test } from 'vitest'
import { indented, nested } from '#web/admin/engine/nested.ts'

const rows = [
  { id: 1, parent_id: 0 },
  { id: 4, parent_id: 0 },
  { id: 2, parent_id: 1 },
  { id: 3, parent_id: 2 },
  { id: 9, parent_id: 8 },
]

test('rows stand under their parents, and at the top when the parent is not shown', () => {
  expect(nested(rows)).toEqual([
    { id: 1, parent_id: 0, children: [{ id: 2, parent_id: 1, children: [{ id: 3, parent_id: 2 }] }] },
    { id: 4, parent_id: 0 },
    { id: 9, parent_id: 8 },
  ])
})

test('in one column each row follows its parent', () => {
  expect(indented(rows).map(({ row, depth }) => [row.id, depth])).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 0],
    [9, 0],
  ])
})
