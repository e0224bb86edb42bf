import { expect, test } from 'vitest'
import {
  cellAt,
  columnName,
  columnOffsets,
  columnsBetween,
  isHeaderRow,
  isNumeric,
  mergesIn,
  rowNumber,
  toTsv,
} from '#web/features/documents/reader/table/geometry.ts'

test('columns have letters', () => {
  expect([0, 25, 26, 51, 52, 701, 702, 999].map(columnName)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA', 'ALL'])
})

test('row numbers count hidden rows', () => {
  const gaps = [
    [0, 2],
    [5, 10],
  ] as const
  expect([0, 4, 5, 6].map((row) => rowNumber(gaps, row))).toEqual([3, 7, 18, 19])
})

test('the columns between two positions', () => {
  const offsets = columnOffsets([100, 50, 200])
  expect(offsets).toEqual([0, 100, 150, 350])
  expect(columnsBetween(offsets, 0, 99)).toEqual({ first: 0, last: 0 })
  expect(columnsBetween(offsets, 100, 150)).toEqual({ first: 1, last: 2 })
  expect(columnsBetween(offsets, 149, 9999)).toEqual({ first: 1, last: 2 })
  expect(columnsBetween(offsets, 9999, 9999)).toEqual({ first: 2, last: 2 })
  expect(columnsBetween([0], 0, 100).last).toBe(-1)
})

test('merged cells are shown wherever a part of them is', () => {
  const merge = [2, 1, 3, 2] as const
  const rows = { first: 4, last: 9 }
  expect(mergesIn([merge], rows, { first: 2, last: 5 })).toEqual([merge])
  expect(mergesIn([merge], { first: 5, last: 9 }, { first: 0, last: 5 })).toEqual([])
  expect(mergesIn([merge], rows, { first: 3, last: 5 })).toEqual([])
  expect(cellAt([merge], 4, 2)).toEqual({ row: 2, column: 1 })
  expect(cellAt([merge], 5, 2)).toEqual({ row: 5, column: 2 })
})

test('a first row of names is a header', () => {
  expect(isHeaderRow(['编号', '名称'], 2, [])).toBe(true)
  expect(isHeaderRow(['编号', '2024'], 2, [])).toBe(false)
  expect(isHeaderRow(['编号', '', '名称'], 3, [])).toBe(false)
  expect(isHeaderRow(['年度报表'], 8, [])).toBe(false)
  expect(isHeaderRow(['编号', '名称'], 2, [[0, 0, 2, 1]])).toBe(false)
  expect(isHeaderRow(undefined, 2, [])).toBe(false)
})

test.each(['1', '-1,234.50', '12 %', '¥ 3', '+0.5'])('%s is a number', (text) => expect(isNumeric(text)).toBe(true))
test.each(['', '1a', '2024-01-02', '1.2.3', '-'])('%s is none', (text) => expect(isNumeric(text)).toBe(false))

test('a selection is copied as spreadsheets paste it', () => {
  const rows = [['a', 'b\nc', 'd "e"'], [], ['x']]
  expect(toTsv(rows, { first: 0, last: 2 })).toBe('a\t"b\nc"\t"d ""e"""\n\t\t\nx\t\t')
})
