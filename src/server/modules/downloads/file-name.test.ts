import { expect, test } from 'vitest'
import { toFileName } from './file-name.ts'

const document = { title: '标题', ext: '.docx' }

test.each([
  ['年度报告.docx', '年度报告.docx'],
  ['年度报告.DOCX', '年度报告.docx'],
  ['年度报告', '年度报告.docx'],
  ['../../etc/passwd.docx', '_.._etc_passwd.docx'],
  ['C:\\合同\\甲.docx', 'C__合同_甲.docx'],
  ['a\u0000b\r\nc.docx', 'a b c.docx'],
  ['报告\u202Excod.exe', '报告 xcod.exe.docx'],
  ['🎉 庆典 🎉.docx', '🎉 庆典 🎉.docx'],
  ['  . 点 . .docx', '点.docx'],
  ['lone \ud800.docx', 'lone \ufffd.docx'],
  ['.docx', '标题.docx'],
  ['', '标题.docx'],
  [`${'长'.repeat(255)}.docx`, `${'长'.repeat(120)}.docx`],
  [`${'🎉'.repeat(130)}.docx`, `${'🎉'.repeat(120)}.docx`],
])('%j is saved as %j', (given, saved) => {
  expect(toFileName(given, document)).toBe(saved)
})

test('a document whose file and title have no name still has one', () => {
  expect(toFileName('\u202e', { title: '...', ext: '.pdf' })).toBe('document.pdf')
})
