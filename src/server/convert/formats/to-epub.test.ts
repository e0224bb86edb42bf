import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { makeEpub, makeUmd } from '#server/samples/books.ts'
import { encodeGbk, makeText } from '#server/samples/text.ts'
import { cpuTimeMs } from '#server/testing/cpu-time.ts'
import { tempFolder, writeTempFile } from '#server/testing/folder.ts'
import { readerOfBuffer } from '../archives/bytes.ts'
import { tasks } from './prepare-tasks.ts'
import { toEpub } from './to-epub.ts'
import type { Format } from '../converter.ts'

test('a novel in GBK becomes a book with its chapters', async () => {
  const book = await read('text', 'a.txt', encodeGbk(makeText(3)))
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
])('%s: headings and sentences are told apart', async (line, isHeading) => {
  const book = await read('text', 'a.txt', `开头的话。\n${line}\n后面的话。`)
  expect(book.outline).toEqual(isHeading ? [line.replace(/\s/g, ' ')] : [])
  expect(book.chapters.join('')).toContain('后面的话。')
})

test('chapters are nested in their volumes', async () => {
  const book = await read('text', 'a.txt', '第一卷 山\n第一章 春\n一\n第二章 夏\n二\n第二卷 海\n第三章 秋\n三')
  const nested = /山<.*?春<.*?<\/navPoint>.*?夏<.*?<\/navPoint>\s*<\/navPoint>.*?海</s
  expect(book.table).toMatch(nested)
})

test('text without headings is split by length, and nothing is lost', async () => {
  const lines = Array.from({ length: 3000 }, (_, index) => `这是第${index}行文字，没有标题，只有正文，写得很长。`)
  const book = await read('text', 'a.txt', lines.join('\n'))
  expect(book.chapters.length).toBeGreaterThan(2)
  expect(book.chapters.join('').match(/<p>/g)?.length).toBe(3000)
})

test('markup in text is escaped, control characters are removed', async () => {
  const book = await read('text', 'a.txt', '<script>alert(1)</script> & "引号" \x0c\x01\ud800完')
  expect(book.chapters.join('')).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;引号&quot;')
  expect(book.chapters.join('')).not.toContain('\x01')
})

test('a novel of twenty megabytes takes a few seconds of CPU time', async () => {
  const text = makeText(20).repeat(Math.ceil(20e6 / Buffer.byteLength(makeText(20))))
  const target = join(tempFolder(), 'a.epub')
  const before = cpuTimeMs()
  await tasks.text({ input: readerOfBuffer(Buffer.from(text)), target, extraFolder: '' })
  expect(cpuTimeMs() - before).toBeLessThan(8000)
  expect(parseEpub(target).outline.length).toBeGreaterThan(1000)
})

test('a file of blanks is empty', async () => {
  await expect(read('text', 'a.txt', ' \r\n　\r\n')).rejects.toMatchObject({ reason: 'empty' })
})

test('Markdown that takes too long to read is shown as it is written', async () => {
  // One address, which the parser tries to read from each of its letters.
  const book = await read('markdown', 'a.md', `# 标题\n\n${'a.'.repeat(300_000)}@\n\n结尾`, { timeoutMs: 8000 })
  expect(book.chapters.join('')).toContain('<p># 标题</p>')
  expect(book.chapters.join('')).toContain('<p>结尾</p>')
})

test('a umd book keeps its chapters', async () => {
  const book = await read('umd', 'a.umd', makeUmd({ chapters: 4 }))
  expect(book.outline).toEqual(['第1章', '第2章', '第3章', '第4章'])
  expect(book.chapters[3]).toContain('<p>第4章完</p>')
  expect(book.chapters[0]).toContain('<p>6．会议决定成立三个小组')
})

test.each([7, 40, 300])('a umd book cut off after %i bytes is refused', async (length) => {
  const error = await read('umd', 'a.umd', makeUmd().subarray(0, length)).catch((error: unknown) => error)
  expect(error).toMatchObject({ name: 'Unconvertible' })
})

test('an EPUB is used as it is', async () => {
  const original = writeTempFile('a.epub', makeEpub())
  const job = {
    original,
    folder: tempFolder(),
    limits: { timeoutMs: 5000 },
    isolation: async () => 'none' as const,
  }
  expect(await toEpub.epub(job)).toEqual({ path: original.path, type: 'epub' })
})

test('an EPUB inside a wrapper folder is repacked', async () => {
  const book = await read('epub', 'a.epub', makeEpub({ wrapper: '我的书/' }))
  expect(book.names[0]).toBe('mimetype')
  expect(book.names).toContain('META-INF/container.xml')
  expect(book.table).toContain('第3章')
})

async function read(
  format: Extract<Format, 'text' | 'markdown' | 'umd' | 'epub'>,
  name: string,
  content: Uint8Array | string,
  limits = { timeoutMs: 30_000 },
) {
  const job = {
    original: writeTempFile(name, content),
    folder: tempFolder(),
    limits,
    isolation: async () => 'none' as const,
  }
  const { path } = await toEpub[format](job)
  return parseEpub(path)
}

function parseEpub(path: string) {
  const parts = unzipSync(readFileSync(path))
  const text = (part: string) => Buffer.from(parts[part] ?? []).toString('utf8')
  const table = text('OEBPS/toc.ncx')
  const chapters = Object.keys(parts)
    .filter((part) => part.endsWith('.xhtml'))
    .map(text)
  const outline = [...table.matchAll(/<navLabel><text>(.*?)</g)].map(([, title]) => title)
  return { names: Object.keys(parts), table, chapters, outline }
}
