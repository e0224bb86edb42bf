import { expect, test } from 'vitest'
import { isClutter, rulesOf, sortOut, type FileFacts } from './acceptance.ts'

const rules = rulesOf({ document_allowed_ext: [], max_document_size: 1 })

function file(name: string, size = 10, lastModified = 1): FileFacts {
  return { name, size, lastModified }
}

function reasons(files: FileFacts[], known: FileFacts[] = []): Record<string, string> {
  const { refused } = sortOut(files, { rules, known })
  return Object.fromEntries(refused.map(({ name, reason }) => [name, reason]))
}

test('good files are taken in their order, whatever stands between them', () => {
  const { taken, refused } = sortOut([file('一.pdf'), file('木马.exe'), file('二.DOCX')], { rules, known: [] })
  expect(taken.map(({ name }) => name)).toEqual(['一.pdf', '二.DOCX'])
  expect(refused).toMatchObject([{ name: '木马.exe', reason: '不支持 .exe 格式' }])
})

test('each refusal says why', () => {
  expect(reasons([file('没有后缀'), file('空.txt', 0), file('大.pdf', 1024 * 1024 + 1)])).toEqual({
    没有后缀: '文件没有扩展名，无法识别格式',
    '空.txt': '文件是空的',
    '大.pdf': '文件有 1.00 MB，超过了 1.00 MB 的上限',
  })
  expect(sortOut([file('正好.pdf', 1024 * 1024)], { rules, known: [] }).taken).toHaveLength(1)
})

test('the same file is taken once; one of the same name that differs is another', () => {
  expect(reasons([file('书.pdf'), file('书.pdf')])).toEqual({ '书.pdf': '已在列表中' })
  expect(reasons([file('书.pdf')], [file('书.pdf')])).toEqual({ '书.pdf': '已在列表中' })
  expect(reasons([file('书.pdf', 10, 2), file('书.pdf', 11)], [file('书.pdf')])).toEqual({})
})

test('no more than a thousand at once', () => {
  const many = Array.from({ length: 1002 }, (_, at) => file(`${at}.pdf`))
  const { taken, refused } = sortOut(many, { rules, known: [] })
  expect([taken.length, refused.length]).toEqual([1000, 2])
})

test('the owner may write extensions in any way, but only kinds we know count', () => {
  const wanted = ['pdf', ' .DOCX', '*.Txt', '.exe']
  const { exts } = rulesOf({ document_allowed_ext: wanted, max_document_size: 1 })
  expect([...exts].toSorted()).toEqual(['.docx', '.pdf', '.txt'])
})

test('hidden files and what systems leave behind are clutter', () => {
  const names = ['.DS_Store', 'Thumbs.db', 'desktop.ini', '~$报告.docx', '__MACOSX', '.git', '报告.docx', 'a.b.pdf']
  expect(names.filter((name) => !isClutter(name))).toEqual(['报告.docx', 'a.b.pdf'])
})
