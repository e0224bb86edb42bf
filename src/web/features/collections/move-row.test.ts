import { expect, test } from 'vitest'
import { inOrder, moveRow, placeAt } from './move-row.ts'

test('an entry moves up and down, and never out of the list', () => {
  expect(moveRow(['甲', '乙', '丙'], 2, 0)).toEqual(['丙', '甲', '乙'])
  expect(moveRow(['甲', '乙', '丙'], 0, 1)).toEqual(['乙', '甲', '丙'])
  expect(moveRow(['甲', '乙', '丙'], 1, 9)).toEqual(['甲', '丙', '乙'])
  expect(moveRow(['甲', '乙', '丙'], 1, -1)).toEqual(['乙', '甲', '丙'])
  expect(moveRow(['甲', '乙'], 5, 0)).toEqual(['甲', '乙'])
})

test('a pointer means the place below the rows whose middle it has passed', () => {
  expect(placeAt([50, 150, 250], 0)).toBe(0)
  expect(placeAt([50, 150, 250], 60)).toBe(1)
  expect(placeAt([50, 150, 250], 900)).toBe(3)
})

test('rows go back to an order with what has changed in them since', () => {
  const rows = [
    { key: 3, id: 3 },
    { key: 1, id: 0 },
    { key: 2, id: 2 },
  ]
  expect(inOrder(rows, [1, 2, 3])).toEqual([
    { key: 1, id: 0 },
    { key: 2, id: 2 },
    { key: 3, id: 3 },
  ])
})
