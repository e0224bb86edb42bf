import { expect, test } from 'vitest'
import { noneSelected, selectOnPage, toSelection, withCurrent } from '#web/admin/engine/selection/selected-rows.ts'

const first = [{ id: 1 }, { id: 2 }]
const second = [{ id: 3 }, { id: 4 }]

test('a selection stays when the user turns the page', () => {
  const one = selectOnPage(noneSelected, first, [2])
  const both = selectOnPage(one, second, [3, 4])
  expect([...both.keys()]).toEqual([2, 3, 4])
  expect([...selectOnPage(both, first, []).keys()]).toEqual([3, 4])
})

test('a selected row is taken as the page shows it now', () => {
  const before = toSelection([
    { id: 1, name: '旧' },
    { id: 9, name: '旧' },
  ])
  expect(withCurrent(before, [{ id: 1, name: '新' }])).toEqual([
    { id: 1, name: '新' },
    { id: 9, name: '旧' },
  ])
})
