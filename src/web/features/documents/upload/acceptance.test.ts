import { expect, test } from 'vitest'
import { isJunkFile, uploadRules, filterFiles, type FileInfo } from '#web/features/documents/upload/acceptance.ts'

const rules = uploadRules({ document_allowed_ext: [], max_document_size: 1 })

function file(name: string, size = 10, lastModified = 1): FileInfo {
  return { name, size, lastModified }
}

function reasons(files: FileInfo[], listed: FileInfo[] = []): Record<string, string> {
  const { rejected } = filterFiles(files, { rules, listed })
  return Object.fromEntries(rejected.map(({ name, reason }) => [name, reason]))
}

test('valid files are accepted in their order', () => {
  const { accepted, rejected } = filterFiles([file('一.pdf'), file('木马.exe'), file('二.DOCX')], { rules, listed: [] })
  expect(accepted.map(({ name }) => name)).toEqual(['一.pdf', '二.DOCX'])
  expect(rejected).toMatchObject([{ name: '木马.exe', reason: '不支持 .exe 格式' }])
})

test('each rejection has a reason', () => {
  expect(reasons([file('没有后缀'), file('空.txt', 0), file('大.pdf', 1024 * 1024 + 1)])).toEqual({
    没有后缀: '文件没有扩展名，无法识别格式',
    '空.txt': '文件是空的',
    '大.pdf': '文件有 1.00 MB，超过了 1.00 MB 的上限',
  })
  expect(filterFiles([file('正好.pdf', 1024 * 1024)], { rules, listed: [] }).accepted).toHaveLength(1)
})

test('the same file is accepted once; another one with the same name is accepted too', () => {
  expect(reasons([file('书.pdf'), file('书.pdf')])).toEqual({ '书.pdf': '已在列表中' })
  expect(reasons([file('书.pdf')], [file('书.pdf')])).toEqual({ '书.pdf': '已在列表中' })
  expect(reasons([file('书.pdf', 10, 2), file('书.pdf', 11)], [file('书.pdf')])).toEqual({})
})

test('at most a thousand files are accepted', () => {
  const many = Array.from({ length: 1002 }, (_, at) => file(`${at}.pdf`))
  const { accepted, rejected } = filterFiles(many, { rules, listed: [] })
  expect([accepted.length, rejected.length]).toEqual([1000, 2])
})

test('extensions may be written in several ways, but only known kinds count', () => {
  const allowed = ['pdf', ' .DOCX', '*.Txt', '.exe']
  const { exts } = uploadRules({ document_allowed_ext: allowed, max_document_size: 1 })
  expect([...exts].toSorted()).toEqual(['.docx', '.pdf', '.txt'])
})

test('hidden files and files of operating systems are junk', () => {
  const names = ['.DS_Store', 'Thumbs.db', 'desktop.ini', '~$报告.docx', '__MACOSX', '.git', '报告.docx', 'a.b.pdf']
  expect(names.filter((name) => !isJunkFile(name))).toEqual(['报告.docx', 'a.b.pdf'])
})
