import { readFileSync } from 'node:fs'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { makeEpub, makeUmd } from '#server/samples/books.ts'
import { inGbk, makeText } from '#server/samples/text.ts'
import { placeFile, tempFolder } from '#server/testing/folder.ts'
import { toBook } from './to-epub.ts'
import type { Content } from '../converter.ts'

test('a novel in GBK becomes a book with its chapters', async () => {
  const book = await read('text', 'a.txt', inGbk(makeText(3)))
  expect(book.outline).toEqual(['第1章 山谷里的第1个春天', '第2章 山谷里的第2个春天', '第3章 山谷里的第3个春天'])
  expect(book.chapters[1]).toContain('<p>8．本报告的全部附件均可下载。')
})

test.each([
  ['第十二回 风雪山神庙', true],
  ['第 3 节　总则', true],
  ['卷二 江湖', true],
  ['第一部：出发', true],
  ['Chapter IV The Rabbit', true],
  ['楔子', true],
  ['番外一', true],
  ['第一章是最难写的，他想了很久才动笔。', false],
  ['第三部分人没有来', false],
  ['序列号', false],
])('%s: a heading is told from a sentence', async (line, isHeading) => {
  const book = await read('text', 'a.txt', `开头的话。\n${line}\n后面的话。`)
  expect(book.outline).toEqual(isHeading ? [line.replace(/\s/g, ' ')] : [])
  expect(book.chapters.join('')).toContain('后面的话。')
})

test('volumes hold their chapters', async () => {
  const book = await read('text', 'a.txt', '第一卷 山\n第一章 春\n一\n第二章 夏\n二\n第二卷 海\n第三章 秋\n三')
  const nested = /山<.*?春<.*?<\/navPoint>.*?夏<.*?<\/navPoint>\s*<\/navPoint>.*?海</s
  expect(book.table).toMatch(nested)
})

test('text without headings is cut into parts, and nothing is lost', async () => {
  const lines = Array.from({ length: 3000 }, (_, index) => `这是第${index}行文字，没有标题，只有正文，写得很长。`)
  const book = await read('text', 'a.txt', lines.join('\n'))
  expect(book.chapters.length).toBeGreaterThan(2)
  expect(book.chapters.join('').match(/<p>/g)?.length).toBe(3000)
})

test('marks and control characters in text do no harm', async () => {
  const book = await read('text', 'a.txt', '<script>alert(1)</script> & "引号" \x0c\x01\ud800完')
  expect(book.chapters.join('')).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;引号&quot;')
  expect(book.chapters.join('')).not.toContain('\x01')
})

test('a novel of twenty megabytes is a matter of seconds', async () => {
  const text = makeText(20).repeat(Math.ceil(20e6 / Buffer.byteLength(makeText(20))))
  const started = Date.now()
  const book = await read('text', 'a.txt', text)
  expect(book.outline.length).toBeGreaterThan(1000)
  expect(Date.now() - started).toBeLessThan(10_000)
})

test('blanks alone are no text', async () => {
  await expect(read('text', 'a.txt', ' \r\n　\r\n')).rejects.toMatchObject({ reason: 'empty' })
})

test('an e-book of the phones of old keeps its chapters', async () => {
  const book = await read('umd', 'a.umd', makeUmd({ chapters: 4 }))
  expect(book.outline).toEqual(['第1章', '第2章', '第3章', '第4章'])
  expect(book.chapters[3]).toContain('<p>第4章完</p>')
  expect(book.chapters[0]).toContain('<p>6．会议决定成立三个小组')
})

test.each([7, 40, 300])('one that ends after %i bytes is damaged, not half a book', async (length) => {
  const error = await read('umd', 'a.umd', makeUmd().subarray(0, length)).catch((error: unknown) => error)
  expect(error).toMatchObject({ name: 'Unconvertible' })
})

test('a book is opened as it is', async () => {
  const source = placeFile('a.epub', makeEpub())
  const job = { source, folder: tempFolder(), limits: { timeoutMs: 5000 }, walls: async () => 'none' as const }
  expect(await toBook.epub(job)).toEqual({ path: source.path, type: 'epub' })
})

test('a book with a folder around it is packed anew', async () => {
  const book = await read('epub', 'a.epub', makeEpub({ wrapper: '我的书/' }))
  expect(book.names[0]).toBe('mimetype')
  expect(book.names).toContain('META-INF/container.xml')
  expect(book.table).toContain('第3章')
})

async function read(kind: Extract<Content, 'text' | 'umd' | 'epub'>, name: string, content: Uint8Array | string) {
  const job = {
    source: placeFile(name, content),
    folder: tempFolder(),
    limits: { timeoutMs: 30_000 },
    walls: async () => 'none' as const,
  }
  const { path } = await toBook[kind](job)
  const parts = unzipSync(readFileSync(path))
  const text = (part: string) => Buffer.from(parts[part] ?? []).toString('utf8')
  const table = text('OEBPS/toc.ncx')
  const chapters = Object.keys(parts)
    .filter((part) => part.endsWith('.xhtml'))
    .map(text)
  const outline = [...table.matchAll(/<navLabel><text>(.*?)</g)].map(([, title]) => title)
  return { names: Object.keys(parts), table, chapters, outline }
}
