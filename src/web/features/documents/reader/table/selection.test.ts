import { expect, test } from 'vitest'
import { moveByKey, selectCell, selectedColumns, selectedRows } from '#web/features/documents/reader/table/selection.ts'

const size = { rows: 100, columns: 5, page: 20 }
const press = (key: string, held: { ctrlKey?: boolean; shiftKey?: boolean } = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  ...held,
})

test.each([
  ['ArrowUp', {}, { row: 0, column: 2 }],
  ['ArrowDown', {}, { row: 2, column: 2 }],
  ['ArrowDown', { ctrlKey: true }, { row: 99, column: 2 }],
  ['ArrowLeft', {}, { row: 1, column: 1 }],
  ['ArrowRight', { ctrlKey: true }, { row: 1, column: 4 }],
  ['Home', {}, { row: 1, column: 0 }],
  ['End', { ctrlKey: true }, { row: 99, column: 4 }],
  ['PageUp', {}, { row: 0, column: 2 }],
  ['PageDown', {}, { row: 21, column: 2 }],
])('%s with %o', (key, held, active) => {
  expect(moveByKey(selectCell({ row: 1, column: 2 }), press(key, held), size)).toEqual(selectCell(active))
})

test('shift extends the selection, in any direction', () => {
  const selection = moveByKey(selectCell({ row: 5, column: 3 }), press('ArrowUp', { shiftKey: true }), size)
  if (!selection) throw new Error('the selection did not move')
  expect(selectedRows(selection)).toEqual({ first: 4, last: 5 })
  expect(selectedColumns(selection)).toEqual({ first: 3, last: 3 })
})

test('other keys are not for the table', () => {
  expect(moveByKey(selectCell({ row: 1, column: 1 }), press('a'), size)).toBeUndefined()
})
