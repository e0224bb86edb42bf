import { expect, test } from 'vitest'
import { findFileName } from './file-name.ts'

const url = new URL('https://example.com/files/%E6%8A%A5%E5%91%8A.pdf?download=1')
/** As Node gives headers: each byte is a character. */
const raw = (text: string) => Buffer.from(text).toString('latin1')
/** 报告 */
const gbk = '\xb1\xa8\xb8\xe6'

test.each([
  [`attachment; filename*=UTF-8''%E6%96%87%E5%BA%93.docx; filename="other.docx"`, '文库.docx'],
  [`attachment; filename="other.docx"; filename*=utf-8'zh-CN'%e6%96%87%e5%ba%93.docx`, '文库.docx'],
  [`attachment; filename*=GBK''%B1%A8%B8%E6.doc`, '报告.doc'],
  [`attachment; filename*=unknown''%B1; filename=plain.pdf`, 'plain.pdf'],
  [`attachment; filename*=UTF-8''%B1%A8; filename=plain.pdf`, 'plain.pdf'],
  [raw('attachment; filename="文库.docx"'), '文库.docx'],
  [`attachment; filename="${gbk}.doc"`, '报告.doc'],
  [`attachment; filename=${gbk}.doc`, '报告.doc'],
  ['attachment; filename="%E6%96%87%E5%BA%93 100%.docx"', '文库 100%.docx'],
  ['attachment;filename=%B1%A8%B8%E6.doc', '报告.doc'],
  ['ATTACHMENT; FileName = "a;b \\"c\\".pdf"; size=5', 'a;b "c".pdf'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
  ['attachment; filename="C:\\Users\\me\\a.pdf"', 'a.pdf'],
  ['attachment; filename="..%2f..%2fa.pdf"', 'a.pdf'],
  [raw('attachment; filename="a\u202efdp.exe"'), 'afdp.exe'],
  ['attachment; filename="a%00%0d%0ab.pdf"', 'ab.pdf'],
  ['attachment; filename=""', '报告.pdf'],
  ['attachment; filename=".."', '报告.pdf'],
  ['attachment; filename="unclosed.pdf', '"unclosed.pdf'],
  ['inline', '报告.pdf'],
  ['', '报告.pdf'],
  [undefined, '报告.pdf'],
])('%j names the file %s', (disposition, name) => {
  expect(findFileName(disposition, url)).toBe(name)
})

test.each([
  ['https://example.com/a/%B1%A8%B8%E6.doc', '报告.doc'],
  ['https://example.com/报告.doc', '报告.doc'],
  ['https://example.com/a%2Fb.pdf', 'b.pdf'],
  ['https://example.com/folder/', ''],
  ['https://example.com', ''],
])('the address %s names the file %j', (address, name) => {
  expect(findFileName(undefined, new URL(address))).toBe(name)
})

test('a name is cut, with its extension kept', () => {
  const name = findFileName(`attachment; filename=${'a'.repeat(5000)}.pdf`, url)
  expect([name.length, name.endsWith('a.pdf')]).toEqual([255, true])
})
