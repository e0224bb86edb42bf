import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pack } from '#server/samples/pack.ts'
import { tempFolder } from '#server/testing/folder.ts'
import { readerOfBuffer } from '../archives/bytes.ts'
import { readOdsTable } from './ods-table.ts'
import { readStoredIndex } from './table-file.ts'
import { writeTable } from './table-writer.ts'

const cell = (text: string, attributes = '') =>
  `<table:table-cell office:value="0.5"${attributes}><text:p>${text}</text:p></table:table-cell>`
const row = (cells: string, attributes = '') => `<table:table-row${attributes}>${cells}</table:table-row>`
const sheet = (rows: string, attributes = ' table:name="甲"') => `<table:table${attributes}>${rows}</table:table>`

test('a cell is what it shows: formatted values, lines, spaces, without its comment and drawings', async () => {
  const comment = '<office:annotation><text:p>批注</text:p></office:annotation>'
  const drawing = '<draw:frame><draw:text-box><text:p>图形</text:p></draw:text-box></draw:frame>'
  const { rows } = await read(
    sheet(
      row(
        cell('50%') +
          cell('一<text:s text:c="3"/>二<text:tab/>三<text:line-break/>四') +
          `<table:table-cell>${comment}${drawing}<text:p>甲 &amp; 乙</text:p><text:p>&#20108;<text:span>行</text:span></text:p></table:table-cell>`,
      ),
    ),
  )
  expect(rows).toEqual([['50%', '一   二\t三\n四', '甲 & 乙\n二行']])
})

test('widths, hidden rows and columns, repeated and merged cells', async () => {
  const { rows, sheets } = await read(
    sheet(
      '<table:table-column table:style-name="wide"/><table:table-column table:visibility="collapse"/><table:table-column table:number-columns-repeated="16382"/>' +
        row(
          `${cell('标题', ' table:number-columns-spanned="3" table:number-rows-spanned="2"')}<table:covered-table-cell table:number-columns-repeated="2"><text:p>盖住</text:p></table:covered-table-cell>${cell('右')}`,
        ) +
        row(cell('隐藏'), ' table:visibility="collapse"') +
        row(cell('筛掉'), ' table:visibility="filter"') +
        row(
          cell('A') + cell('B') + cell('C', ' table:number-columns-repeated="2"'),
          ' table:number-rows-repeated="2"',
        ) +
        row('<table:table-cell table:number-columns-repeated="16384"/>', ' table:number-rows-repeated="1048570"'),
    ),
  )
  expect(rows).toEqual([
    ['标题', '', '右'],
    ['A', 'C', 'C'],
    ['A', 'C', 'C'],
  ])
  expect(sheets).toEqual([
    {
      id: 0,
      name: '甲',
      rows: 3,
      columns: [
        { number: 0, width: 221 },
        { number: 2, width: 80 },
        { number: 3, width: 80 },
      ],
      gaps: [[1, 2]],
      merges: [[0, 0, 1, 2]],
      isCut: false,
    },
  ])
})

test('sheets that are hidden or not printed are left out, and so is what lies outside of the print range', async () => {
  const grid = [
    '<table:table-column table:number-columns-repeated="3"/>',
    ...Array.from({ length: 5 }, (_, index) => row(cell(`a${index}`) + cell(`b${index}`) + cell(`c${index}`))),
  ]
  const { rows, sheets } = await read(
    sheet(grid.join(''), ' table:name="藏" table:style-name="hidden"') +
      sheet(grid.join(''), ' table:name="不印" table:print="false"') +
      sheet(grid.join(''), ` table:name="甲" table:print-ranges="甲.B2:甲.C3 '甲'.$B$4:'甲'.$B$4"`),
  )
  expect(sheets.map(({ name }) => name)).toEqual(['甲'])
  expect(sheets[0]).toMatchObject({ gaps: [[0, 1]], columns: [{ number: 1 }, { number: 2 }] })
  expect(rows).toEqual([
    ['b1', 'c1'],
    ['b2', 'c2'],
    ['b3', 'c3'],
  ])
})

test('names and markup that a reader meets rarely', async () => {
  const { rows, sheets } = await read(
    `<!-- <table:table> -->${sheet(row(`${cell('<![CDATA[<b>&]]>')}${cell("a > b 'c'")}`), ` table:name="a &gt; 'b' > &quot;c&quot;"`)}`,
  )
  expect(sheets[0]?.name).toBe(`a > 'b' > "c"`)
  expect(rows).toEqual([['<b>&', "a > b 'c'"]])
})

test('hostile repeats end at the limits', async () => {
  const { sheets } = await read(
    sheet(row(cell('x', ' table:number-columns-repeated="99999999"'), ' table:number-rows-repeated="99999999"')),
  )
  expect(sheets).toMatchObject([{ rows: 4000, isCut: true }])
  expect(sheets[0]?.columns).toHaveLength(1000)
})

test('a file without content, or with a tag that never ends, is damaged', async () => {
  await expect(readZipped(pack({ mimetype: 'x' }))).rejects.toMatchObject({ reason: 'damaged' })
  await expect(read(`<table:table table:name="${'x'.repeat(2e6)}`)).rejects.toMatchObject({ reason: 'damaged' })
})

async function read(tables: string) {
  const styles =
    '<style:style style:name="wide" style:family="table-column"><style:table-column-properties style:column-width="2in"/></style:style><style:style style:name="hidden" style:family="table"><style:table-properties table:display="false"/></style:style>'
  const content = `<?xml version="1.0"?><office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`
  return readZipped(pack({ 'content.xml': content }))
}

async function readZipped(ods: Uint8Array) {
  const path = join(tempFolder(), 'table')
  await writeTable(path, (writer) => readOdsTable(readerOfBuffer(Buffer.from(ods)), writer))
  const { index, offsets } = await readStoredIndex(path)
  const [start, end] = offsets[0] ?? []
  const rows: string[][] =
    start === undefined ? [] : JSON.parse(gunzipSync(readFileSync(path).subarray(start, end)).toString('utf8'))
  return { sheets: index.sheets, rows }
}
