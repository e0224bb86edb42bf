import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { tempFolder } from '#server/testing/folder.ts'
import { readStoredIndex } from './table-file.ts'
import { tableLimits, type TableWriter, writeTable } from './table-writer.ts'

const columns = [
  { number: 0, width: 100 },
  { number: 1, width: 50 },
]

test('rows are stored in slices, each of which is read alone', async () => {
  const { index, offsets, rowsOf } = await written(async (writer) => {
    writer.startSheet({ name: '甲', columns })
    for (let row = 0; row < 450; row += 1) await writer.addRow([`${row}`, '', '值', ''])
    await writer.endSheet()
    writer.startSheet({ name: '乙', columns })
    await writer.addRow(['另一个'])
    await writer.endSheet()
  })
  expect(index.sheets.map(({ id, name, rows }) => ({ id, name, rows }))).toEqual([
    { id: 0, name: '甲', rows: 450 },
    { id: 1, name: '乙', rows: 1 },
  ])
  expect(offsets.map(({ length }) => length)).toEqual([4, 2])
  expect(rowsOf(0, 0)).toHaveLength(200)
  expect(rowsOf(0, 2)).toHaveLength(50)
  expect(rowsOf(0, 2)[49]).toEqual(['449', '', '值'])
  expect(rowsOf(1, 0)).toEqual([['另一个']])
  // A column that the sheet does not describe is like its last one.
  expect(index.sheets[0]?.columns).toEqual([...columns, { number: 2, width: 50 }])
})

test('empty rows count between others, not at the end; a sheet without rows is left out', async () => {
  const { index, rowsOf } = await written(async (writer) => {
    writer.startSheet({ name: '空', columns })
    await writer.addRow(['', ''], 1_000_000)
    await writer.endSheet()
    writer.startSheet({ name: '甲', columns })
    await writer.addRow(['一'])
    await writer.addRow([], 2)
    await writer.addRow(['二'])
    await writer.addRow([''], 1_000_000)
    await writer.endSheet()
  })
  expect(index.sheets).toHaveLength(1)
  expect(index.sheets[0]).toMatchObject({ name: '甲', rows: 4, isCut: false })
  expect(rowsOf(0, 0)).toEqual([['一'], [], [], ['二']])
})

test.each([
  ['rows', { rows: 3 }, 3],
  ['cells', { cells: 5 }, 2],
  ['bytes', { bytes: 40 }, 3],
])('a sheet with too many %s is cut and says so', async (_, limits, rows) => {
  const { index } = await written(
    async (writer) => {
      writer.startSheet({ name: '甲', columns })
      await writer.addRow(['值值', '值值'], 1_000_000)
      expect(writer.isFull()).toBe(true)
      await writer.endSheet()
    },
    { ...tableLimits, ...limits },
  )
  expect(index.sheets).toMatchObject([{ rows, isCut: true }])
})

test('too many columns, long cells and too many sheets are cut', async () => {
  const { index, rowsOf } = await written(
    async (writer) => {
      writer.startSheet({ name: '甲', columns })
      await writer.addRow(['长'.repeat(20), 'b', 'c'])
      await writer.endSheet()
      expect(writer.startSheet({ name: '乙', columns })).toBe(false)
    },
    { ...tableLimits, columns: 2, cellLength: 5, sheets: 1 },
  )
  expect(index.sheets).toMatchObject([{ isCut: true }])
  expect(rowsOf(0, 0)).toEqual([['长长长长长…', 'b']])
})

test('hidden rows are told by the row that they stand before, and make merged cells lower', async () => {
  const { index } = await written(async (writer) => {
    writer.startSheet({ name: '甲', columns })
    writer.skipRows(4)
    writer.addMerge([0, 0, 5, 2])
    await writer.addRow(['一', '二'])
    writer.skipRows(1)
    writer.skipRows(2)
    await writer.addRow(['三'])
    await writer.addRow(['四'])
    await writer.endSheet()
  })
  expect(index.sheets[0]?.gaps).toEqual([
    [0, 4],
    [1, 3],
  ])
  expect(index.sheets[0]?.merges).toEqual([[0, 0, 2, 2]])
})

async function written(write: (writer: TableWriter) => Promise<void>, limits = tableLimits) {
  const path = join(tempFolder(), 'table')
  await writeTable(path, write, limits)
  const stored = await readStoredIndex(path)
  const rowsOf = (sheet: number, slice: number): string[][] => {
    const offsets = stored.offsets[sheet] ?? []
    const packed = readFileSync(path).subarray(offsets[slice], offsets[slice + 1])
    return JSON.parse(gunzipSync(packed).toString('utf8'))
  }
  return { ...stored, rowsOf }
}
