import { expect, test } from 'vitest'
import { cleanFileName } from './file-names.ts'

test.each([
  ['年度报告.docx', '年度报告.docx'],
  ['../../etc/passwd.pdf', 'passwd.pdf'],
  ['C:\\Users\\我\\论文.pdf', '论文.pdf'],
  ['a\0b\nc\r\n.txt', 'abc.txt'],
  ['发票\u202efdp.exe.pdf', '发票fdp.exe.pdf'],
  ['\u200f\u2067שלום\u2069.pdf', 'שלום.pdf'],
  ['笑脸😀👨‍👩‍👧.pdf', '笑脸😀👨‍👩‍👧.pdf'],
  ['e\u0301te\u0301.txt', 'été.txt'],
  ['  多  个   空格 .pdf ', '多 个 空格 .pdf'],
  ['..', ''],
  ['\ud800.pdf', '.pdf'],
  ['<img src=x onerror=alert(1)>.pdf', '<img src=x onerror=alert(1)>.pdf'],
])('%j becomes %j', (name, expected) => {
  expect(cleanFileName(name)).toBe(expected)
})

test('a name is cut to 255 bytes with its extension, between characters', () => {
  expect(cleanFileName(`${'a'.repeat(251)}.pdf`)).toHaveLength(255)
  const long = cleanFileName(`${'文'.repeat(300)}.docx`)
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(255)
  expect(long).toMatch(/^文{83}\.docx$/)
})
