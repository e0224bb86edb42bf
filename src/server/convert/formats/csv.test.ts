import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { tempFolder } from '#server/testing/folder.ts'
import { csvToXlsx, detectSeparator, parseRows } from './csv.ts'

test.each([
  [
    'a,b\r\nc,d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a,"b,c"\n"d ""e""",f',
    [
      ['a', 'b,c'],
      ['d "e"', 'f'],
    ],
  ],
  ['a,"line\nline"\nb', [['a', 'line\nline'], ['b']]],
  [
    'a,\n,b\n\n\n',
    [
      ['a', ''],
      ['', 'b'],
    ],
  ],
  ['"without end', [['without end']]],
  ['a,"b"c', [['a', 'bc']]],
  ['', []],
])('%j is parsed', (text, rows) => {
  expect([...parseRows(text, ',')]).toEqual(rows)
})

test('the separator is detected from the first line', () => {
  expect(detectSeparator('a,b,c\n1;2')).toBe(',')
  expect(detectSeparator('姓名;电话;地址，省')).toBe(';')
  expect(detectSeparator('a\tb')).toBe('\t')
  expect(detectSeparator('一列')).toBe(',')
})

test('values are kept as written, and formulas are text', async () => {
  const sheet = await sheetOf('编号,价\n007,1.50\n=1+1,<b>&')
  expect(sheet).toContain('>007<')
  expect(sheet).toContain('>1.50<')
  expect(sheet).toContain('>=1+1<')
  expect(sheet).toContain('>&lt;b&gt;&amp;<')
  expect(sheet).not.toContain('<f>')
})

test('a wide table is landscape', async () => {
  expect(await sheetOf('a,b')).toContain('orientation="portrait" fitToWidth="1"')
  expect(await sheetOf(Array.from({ length: 16 }, () => '一个标题').join(','))).toContain(
    'orientation="landscape" fitToWidth="1"',
  )
})

test('a column that only a late row has counts for the width', async () => {
  const sheet = await sheetOf(`${'a\n'.repeat(2500)}${','.repeat(99)}b`)
  expect(sheet.match(/<row>/g)).toHaveLength(2501)
  expect(sheet).toContain('orientation="landscape" fitToWidth="3"')
})

test('a row is as high as its longest text needs', async () => {
  const heights = (
    await sheetOf(`短,短\n${'长'.repeat(100)},短\n"一\n二\n三",短\n${'a '.repeat(60)},${'长'.repeat(9000)}`)
  )
    .match(/<row[^>]*>/g)
    ?.map((tag) => Number(/ht="(\d+)"/.exec(tag)?.[1] ?? 0))
  expect(heights).toEqual([0, 61, 46, 400])
  expect(await sheetOf('短')).toContain('<sheetFormatPr defaultRowHeight="16" customHeight="1"/>')
})

test('a late text that is one character wider than the measured column does not double its row', async () => {
  const rows = Array.from({ length: 3000 }, (_, index) => `备注 ${index < 2500 ? 10 : 100} 号`)
  expect(await sheetOf(rows.join('\n'))).not.toContain(' ht=')
})

test.each([
  ['nothing', '\n\n', 'empty'],
  ['separators alone', ','.repeat(900), 'empty'],
  ['too many columns', `a${',b'.repeat(2000)}`, 'tooLarge'],
  ['too many rows', 'a\n'.repeat(200_001), 'tooLarge'],
  ['too many empty rows', `${'\n'.repeat(1e6)}a`, 'tooLarge'],
  ['too many cells', `${','.repeat(990)}a\n`.repeat(5000), 'tooLarge'],
])('%s is refused', async (_, text, reason) => {
  await expect(sheetOf(text)).rejects.toMatchObject({ reason })
})

async function sheetOf(text: string): Promise<string> {
  const path = join(tempFolder(), 'a.xlsx')
  await csvToXlsx(path, text, ',')
  return Buffer.from(unzipSync(readFileSync(path))['xl/sheet.xml'] ?? []).toString('utf8')
}
