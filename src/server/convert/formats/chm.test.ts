import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { makeChm } from '#server/samples/chm.ts'
import { encodeGbk } from '#server/samples/text.ts'
import { writeTempFile, tempFolder } from '#server/testing/folder.ts'
import { prose } from '#server/samples/prose.ts'
import { chmToEpub } from './chm.ts'
import { findExecutable } from '../sandbox/executables.ts'
import { detectIsolation } from '../sandbox/sandbox.ts'

const isolation = await detectIsolation()
const isReady = findExecutable('7z', '7zz', '7za') !== undefined && isolation !== 'none'

const page = (title: string, body = '') =>
  encodeGbk(
    `<html><head><meta charset="gb2312"><title>${title}</title></head><body><h1>${title}</h1><p>${prose[0]}</p>${body}</body></html>`,
  )
const topic = (name: string, path: string) =>
  `<LI><OBJECT type="text/sitemap"><param name="Name" value="${name}"><param name="Local" value="${path}"></OBJECT>`

test.skipIf(!isReady)('a help file in GBK is read in the order of its contents', async () => {
  const book = await read({
    '/toc.hhc': encodeGbk(
      `<UL>${topic('总论', 'Html\\Two.htm')}<UL>${topic('细则', 'html/one.htm#start')}</UL>${topic('没有', 'lost.htm')}</UL>`,
    ),
    '/html/one.htm': page('第一页'),
    '/html/two.htm': page('第二页'),
    '/index.hhk': '',
  })
  expect(book.outline).toEqual(['总论', '细则'])
  expect(book.table).toMatch(/总论<.*细则<.*<\/navPoint>\s*<\/navPoint>/s)
  expect(book.chapters[0]).toContain('第二页')
  expect(book.chapters[0]).toContain(prose[0])
})

test.skipIf(!isReady)('without contents the pages are in the order of their names', async () => {
  const book = await read({ '/p10.htm': page('十'), '/p2.htm': page('二') })
  expect(book.outline).toEqual(['p2', 'p10'])
})

test.skipIf(!isReady)('scripts and external references are removed; its own images stay', async () => {
  const hostile =
    '<script>alert(1)</script><img src="http://a.example/x.png" onerror="alert(2)"><img src="../../etc/passwd"><img src="img/DOT.PNG"><iframe src="//a.example"></iframe><a href="javascript:alert(3)">链接</a><object data="x"></object>'
  const book = await read({ '/a.htm': page('页', hostile), '/img/dot.png': Buffer.from('89504e47', 'hex') })
  const html = book.chapters.join('')
  expect(html).not.toMatch(/alert|a\.example|passwd|iframe|javascript|onerror|object/)
  expect(html).toContain('链接')
  expect(html.match(/<img /g)).toHaveLength(1)
  expect(book.names.filter((name) => name.endsWith('.png'))).toHaveLength(1)
})

test.skipIf(!isReady)('a truncated help file is damaged', async () => {
  const whole = makeChm({ '/a.htm': page('页') })
  const error = await convert(whole.subarray(0, 200)).catch((error: unknown) => error)
  expect(error).toMatchObject({ reason: 'damaged' })
})

async function convert(content: Uint8Array): Promise<string> {
  const folder = tempFolder()
  const path = join(folder, 'a.epub')
  await chmToEpub({ original: writeTempFile('a.chm', content), folder, limits: { timeoutMs: 10_000 }, isolation }, path)
  return path
}

async function read(parts: Record<string, Uint8Array | string>) {
  const files = unzipSync(readFileSync(await convert(makeChm(parts))))
  const text = (part: string) => Buffer.from(files[part] ?? []).toString('utf8')
  const table = text('OEBPS/toc.ncx')
  const outline = [...table.matchAll(/<navLabel><text>(.*?)</g)].map(([, title]) => title)
  const chapters = Object.keys(files)
    .filter((part) => part.endsWith('.xhtml'))
    .map(text)
  return { names: Object.keys(files), table, outline, chapters }
}
