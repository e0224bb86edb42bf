import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { csvToXlsx, readCsv, separatorOf } from './csv.ts'

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
])('%j is read', (text, rows) => {
  expect(readCsv(text, ',')).toEqual(rows)
})

test('the separator is the one of the first line', () => {
  expect(separatorOf('a,b,c\n1;2')).toBe(',')
  expect(separatorOf('姓名;电话;地址，省')).toBe(';')
  expect(separatorOf('a\tb')).toBe('\t')
  expect(separatorOf('一列')).toBe(',')
})

test('values stay as they are written, and formulas are words', () => {
  const sheet = sheetOf('编号,价\n007,1.50\n=1+1,<b>&')
  expect(sheet).toContain('>007<')
  expect(sheet).toContain('>1.50<')
  expect(sheet).toContain('>=1+1<')
  expect(sheet).toContain('>&lt;b&gt;&amp;<')
  expect(sheet).not.toContain('<f>')
})

test('a wide table lies on its side', () => {
  expect(sheetOf('a,b')).toContain('orientation="portrait" fitToWidth="1"')
  expect(sheetOf(Array.from({ length: 16 }, () => '一个标题').join(','))).toContain(
    'orientation="landscape" fitToWidth="1"',
  )
})

test('nothing and far too much are refused', () => {
  expect(() => csvToXlsx('\n\n', ',')).toThrow('empty')
  expect(() => csvToXlsx(','.repeat(2000), ',')).toThrow()
  expect(() => csvToXlsx(`a${',b'.repeat(2000)}`, ',')).toThrow('tooLarge')
})

function sheetOf(text: string): string {
  return Buffer.from(unzipSync(csvToXlsx(text, ','))['xl/sheet.xml'] ?? []).toString('utf8')
}
