import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { readTitle } from '#web/features/documents/upload/file-title/read-title.ts'
import { sensibleTitle } from '#web/features/documents/upload/file-title/sensible-title.ts'

/** A PDF with these Info entries, after so many bytes of other objects. */
function pdf(info: string, { ballast = 0, trailer = '', after = 0 } = {}): Blob {
  const head = `%PDF-1.4\n1 0 obj\n<< /Length ${ballast} >>\nstream\n${'x'.repeat(ballast)}\nendstream\nendobj\n`
  const object = `7 0 obj\n<< ${info} /Producer (x) >>\nendobj\n`
  const rest = `8 0 obj\n(${'y'.repeat(after)})\nendobj\n`
  const start = head.length + object.length + rest.length
  const entries = Array.from({ length: 8 }, (_, at) =>
    at === 7 ? `${String(head.length).padStart(10, '0')} 00000 n \n` : '0000000000 65535 f \n',
  )
  const table = `xref\n0 8\n${entries.join('')}trailer\n<< /Size 8 /Info 7 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF`
  return new Blob([Uint8Array.from(head + object + rest + table, (char) => char.charCodeAt(0))])
}

const archive = (files: Record<string, string>) =>
  new Blob([
    Uint8Array.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])))),
  ])

const utf16 = '<FEFF5E745EA662A5544A>'
const gbk = '(\u00c4\u00ea\u00b6\u00c8\u00b1\u00a8\u00b8\u00e6)'

test.each([
  [`/Title ${utf16}`, '年度报告'],
  [`/Title ${gbk}`, '年度报告'],
  ['/Title (Annual \\(2024\\) Report\\056)', 'Annual (2024) Report.'],
  ['/Title (\\376\\377b\\245T\\112)', '报告'],
  ['/Author (nobody)', ''],
])('the title of a PDF with %s', async (info, title) => {
  expect(await readTitle(pdf(info), '.pdf')).toBe(title)
})

test('it is found by the cross-reference table in a large file, and only small parts of it are read', async () => {
  const file = pdf(`/Title ${utf16}`, { ballast: 1_000_000, after: 1_000_000 })
  let read = 0
  const watched = new Proxy(file, {
    get(target, name) {
      if (name !== 'slice') return Reflect.get(target, name) as unknown
      return (from: number, to: number) => {
        read += to - from
        return target.slice(from, to)
      }
    },
  })
  expect(await readTitle(watched, '.pdf')).toBe('年度报告')
  expect(read).toBeLessThan(300_000)
})

test('an encrypted PDF, a broken one and one that is none have no title', async () => {
  expect(await readTitle(pdf('/Title (abcdef)', { trailer: '/Encrypt 9 0 R' }), '.pdf')).toBe('')
  expect(await readTitle(new Blob(['%PDF-1.4 startxref 99999']), '.pdf')).toBe('')
  expect(await readTitle(new Blob([]), '.pdf')).toBe('')
  expect(await readTitle(new Blob(['no archive']), '.docx')).toBe('')
  expect(await readTitle(new Blob(['text']), '.txt')).toBe('')
})

test('XMP gives the title where Info has none', async () => {
  const xmp =
    '<x:xmpmeta><dc:title><rdf:Alt><rdf:li xml:lang="x-default">Reading Room</rdf:li></rdf:Alt></dc:title></x:xmpmeta>'
  expect(await readTitle(pdf(`/Meta (${xmp})`), '.pdf')).toBe('Reading Room')
})

test('office documents, OpenDocument files and e-books', async () => {
  const core = '<cp:coreProperties><dc:title xmlns:dc="x">采购 &amp; 合同 &#x6A21;板</dc:title></cp:coreProperties>'
  for (const ext of ['.docx', '.xlsx', '.pptx'])
    expect(await readTitle(archive({ 'a.xml': 'x'.repeat(5000), 'docProps/core.xml': core }), ext)).toBe(
      '采购 & 合同 模板',
    )
  expect(await readTitle(archive({ 'meta.xml': '<dc:title>会议记录</dc:title>' }), '.odt')).toBe('会议记录')
  const book = {
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OEBPS/b.opf"/></rootfiles></container>',
    'OEBPS/b.opf': '<package><metadata><dc:title id="t">红楼梦</dc:title></metadata></package>',
  }
  expect(await readTitle(archive(book), '.epub')).toBe('红楼梦')
})

test.each([
  'Microsoft Word - 文档1',
  'Microsoft PowerPoint - 年终总结',
  '无标题',
  '未命名文档 2',
  '新建 Microsoft Word 文档 (2)',
  'untitled',
  'Document1',
  'PowerPoint 演示文稿',
  '年终总结.doc',
  'C:\\Users\\wang\\桌面\\总结',
  '/home/wang/总结',
  'file:///总结',
  'D/资料/总结',
  'ÄêÖÕ×Ü½á',
  '年终�总结',
  'a\u0001b title',
  '20240101',
  '---',
  '8f14e45fceea167a5a36dedd4bea2543',
  '一'.repeat(300),
])('“%s” is no title', (title) => {
  expect(sensibleTitle(title)).toBe('')
})

test.each(['年终总结', 'A Tour of Go', '2024 年第 3 期', '  高等数学\n 上册 ', 'C/C++ 程序设计', 'Résumé de thèse'])(
  '“%s” is one',
  (title) => {
    expect(sensibleTitle(title)).toBe(title.replaceAll(/\s+/g, ' ').trim())
  },
)
