import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import * as mupdf from 'mupdf'
import sharp, { type Region } from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DrawnPage, Prepared } from '../../converter.ts'
import { firstExtra, madePdf, pdfText } from '../made-pdf.ts'
import { type Renderers, startRenderers } from './pool.ts'

const folder = mkdtempSync(join(tmpdir(), 'wendou-render-'))
let renderers: Renderers

beforeAll(async () => {
  renderers = startRenderers({ processes: 1, folders: [folder] })
  await renderers.warm()
})

afterAll(async () => {
  await renderers.close()
  rmSync(folder, { recursive: true })
})

function saved(name: string, bytes: Uint8Array): Prepared {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  const type = name.split('.').at(-1)
  return { path, type: type === 'epub' || type === 'mobi' ? type : 'pdf' }
}

const svgOf = (page: DrawnPage) => gunzipSync(page.svg).toString('utf8')

test('a Chinese page is drawn, and its lines can be read where they stand', async () => {
  const book = saved('chinese.pdf', madePdf([{ lines: ['第一章 绪论', '若 a < b & c > d，则成立。'] }]))
  const page = await renderers.page(book, 1)
  expect(page).toMatchObject({ width: 595, height: 842 })
  expect(page.lines.map(([, , , , text]) => text)).toEqual(['第一章绪论', '若 a < b & c > d，则成立。'])
  const [x, y, width, height] = page.lines[0] ?? [0, 0, 0, 0]
  expect(x).toBeCloseTo(60, 0)
  expect(y).toBeGreaterThan(45)
  expect(y + height).toBeLessThan(72)
  expect(width).toBeGreaterThan(55)
  expect(svgOf(page)).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="595" height="842" viewBox="0 0 595 842">/,
  )
  expect(svgOf(page).match(/<use /g)?.length).toBeGreaterThan(10)
  // What it looks like: ink where the first line stands, none in the middle of the page.
  expect(await darkness(page, { left: 60, top: 45, width: 70, height: 30 })).toBeGreaterThan(0.02)
  expect(await darkness(page, { left: 60, top: 400, width: 400, height: 200 })).toBe(0)
})

test('pages, sizes, contents, title and author', async () => {
  const pages = [{ lines: ['一'] }, { lines: ['二'], box: '0 0 842 595' }, { lines: ['三'] }]
  const outline = [
    '<< /First 11 0 R /Last 12 0 R /Count 2 >>',
    `<< /Title ${pdfText('第一章')} /Parent 10 0 R /Next 12 0 R /Dest [14 0 R /Fit] >>`,
    `<< /Title ${pdfText('第二章')} /Parent 10 0 R /Prev 11 0 R /Dest [18 0 R /Fit] /First 13 0 R /Last 13 0 R /Count 1 >>`,
    `<< /Title ${pdfText('第一节')} /Parent 12 0 R /Dest [18 0 R /Fit] >>`,
  ]
  const info = `/Title ${pdfText('论文 <b>题目</b>')} /Author ${pdfText('张三')}`
  const book = saved('outline.pdf', madePdf(pages, { catalog: '/Outlines 10 0 R', objects: outline, info }))
  expect(await renderers.open(book)).toEqual({
    pages: 3,
    sizes: [
      { width: 595, height: 842 },
      { width: 842, height: 595 },
      { width: 595, height: 842 },
    ],
    outline: [
      { title: '第一章', page: 1, level: 0 },
      { title: '第二章', page: 3, level: 0 },
      { title: '第一节', page: 3, level: 1 },
    ],
    title: '论文 <b>题目</b>',
    author: '张三',
  })
})

test('scripts, links and markup of a document never reach its pages', async () => {
  const action = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'
  const link = '<< /Type /Annot /Subtype /Link /Rect [0 0 595 842] /A << /S /URI /URI (javascript:alert\\(1\\)) >> >>'
  const lines = ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', ']]><a href="javascript:alert(1)">']
  const book = saved(
    'script.pdf',
    madePdf([{ lines, entries: `/Annots [${link}] /AA << /O ${action} >>` }], { catalog: `/OpenAction ${action}` }),
  )
  const page = await renderers.page(book, 1)
  expect(svgOf(page)).not.toMatch(
    /script|alert|javascript|<a[\s>]|onerror|<img|foreignObject|http(?!:\/\/www\.w3\.org\/2000\/svg")/i,
  )
  expect(page.lines.map(([, , , , text]) => text)).toEqual(lines)
})

test('the lines of many pages, in their order', async () => {
  const pages = Array.from({ length: 40 }, (_, n) => ({ lines: [`这是第${n + 1}页`] }))
  const book = saved('lines.pdf', madePdf(pages))
  const read = await renderers.lines(book, 2, 39)
  expect(read.map(({ page, lines }) => [page, lines[0]?.[4]])).toEqual(
    Array.from({ length: 38 }, (_, n) => [n + 2, `这是第${n + 2}页`]),
  )
})

test('a picture has the width that was asked for', async () => {
  const book = saved('picture.pdf', madePdf([{ content: '1 0 0 rg 0 0 595 842 re f', box: '0 0 400 200' }]))
  const picture = await renderers.picture(book, 1, 200)
  expect(await sharp(picture).metadata()).toMatchObject({ format: 'webp', width: 200, height: 100 })
  const { channels } = await sharp(picture).stats()
  expect(channels.map(({ mean }) => Math.round(mean / 64))).toEqual([4, 0, 0])
})

test('a book is laid out in pages', async () => {
  const paragraph = `<p>${'春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。'.repeat(8)}</p>`
  const book = saved(
    'book.epub',
    madeEpub('诗集', [
      ['卷一', paragraph.repeat(10)],
      ['卷二', paragraph.repeat(10)],
    ]),
  )
  const opened = await renderers.open(book)
  expect(opened.title).toBe('诗集')
  expect(opened.pages).toBeGreaterThan(5)
  expect(opened.sizes).toEqual([{ width: 440, height: 622 }])
  expect(opened.outline.map(({ title }) => title)).toEqual(['卷一', '卷二'])
  expect(opened.outline[1]?.page).toBeGreaterThan(3)
  const second = await renderers.page(book, opened.outline[1]?.page ?? 0)
  expect(second.lines[0]?.[4]).toBe('卷二')
  await expect(renderers.page(book, opened.pages + 1)).rejects.toThrow(RangeError)
})

test('reasons why a document cannot be shown', async () => {
  const locked = new mupdf.PDFDocument(madePdf([{ lines: ['机密'] }])).saveToBuffer(
    'encrypt=aes-256,user-password=secret,owner-password=owner',
  )
  const documents: [Prepared, string][] = [
    [saved('locked.pdf', locked.asUint8Array()), 'encrypted'],
    [saved('zero.pdf', new Uint8Array()), 'empty'],
    [saved('no-pages.pdf', madePdf([])), 'empty'],
    [
      saved(
        'noise.pdf',
        Uint8Array.from({ length: 5000 }, (_, n) => (n * 7919) % 251),
      ),
      'damaged',
    ],
    [saved('cut.pdf', madePdf([{ lines: ['一'] }]).subarray(0, 300)), 'damaged'],
    [saved('many.pdf', madePdf([{ lines: ['一'] }], { count: 2_000_000_000 })), 'tooManyPages'],
    [saved('loop.pdf', Buffer.from(looping())), 'damaged'],
    [{ path: saved('book2.epub', madeEpub('书', [['章', '<p>文</p>']])).path, type: 'pdf' }, 'mismatch'],
    [{ path: join(folder, 'gone.pdf'), type: 'pdf' }, 'missing'],
  ]
  for (const [book, reason] of documents)
    await expect(renderers.open(book), book.path).rejects.toMatchObject({ name: 'Unconvertible', reason })
})

test('a document with 20 001 pages is refused, one with 20 000 is not', async () => {
  const pages = Array.from({ length: 20_001 }, () => ({}))
  await expect(renderers.open(saved('20001.pdf', madePdf(pages)))).rejects.toMatchObject({ reason: 'tooManyPages' })
  const opened = await renderers.open(saved('20000.pdf', madePdf(pages.slice(1))))
  expect(opened.pages).toBe(20_000)
  expect(opened.sizes.length).toBeLessThanOrEqual(5000)
})

test('an owner password alone does not lock a document', async () => {
  const bytes = new mupdf.PDFDocument(madePdf([{ lines: ['公开'] }])).saveToBuffer(
    'encrypt=aes-256,owner-password=owner',
  )
  const page = await renderers.page(saved('owner.pdf', bytes.asUint8Array()), 1)
  expect(page.lines[0]?.[4]).toBe('公开')
})

test('a page of ten million points, and one a thousand times as long as wide', async () => {
  const line = (width: number) => `${width} w 0 0 m 10000000 10000000 l S`
  const book = saved(
    'huge.pdf',
    madePdf([
      { box: '0 0 10000000 10000000', content: line(1e5) },
      { box: '0 0 10 10000', content: line(1) },
    ]),
  )
  const page = await renderers.page(book, 1)
  expect(page).toMatchObject({ width: 2000, height: 2000 })
  expect(svgOf(page)).toContain('viewBox="0 0 2000 2000"')
  expect(await renderers.page(book, 2)).toMatchObject({ width: 500, height: 10_000 })
  expect(await sharp(await renderers.picture(book, 1, 300)).metadata()).toMatchObject({ width: 300, height: 300 })
})

test('a page that cannot be read is blank and says so; the others are there', async () => {
  const text = Buffer.from(madePdf([{ lines: ['第一页'] }, { lines: ['第二页'] }])).toString('latin1')
  // The tree of pages has itself as its second page.
  const broken = text.replace('/Kids [10 0 R 12 0 R]', '/Kids [10 0 R  2 0 R]')
  const book = saved('half.pdf', Buffer.from(broken, 'latin1'))
  expect((await renderers.page(book, 1)).lines[0]?.[4]).toBe('第一页')
  const page = await renderers.page(book, 2)
  expect(svgOf(page)).toContain('本页无法显示')
  expect(page.lines).toEqual([])
})

test('a page that would be far too large becomes a picture inside its drawing', async () => {
  let state = 1
  const noise = Buffer.from(Array.from({ length: 1100 * 1100 * 3 }, () => (state = (state * 48_271) % 0x7fffffff) >> 8))
  const image = '/Type /XObject /Subtype /Image /Width 1100 /Height 1100 /ColorSpace /DeviceRGB /BitsPerComponent 8'
  const page = {
    lines: ['图'],
    content: 'q 500 0 0 500 50 50 cm /X Do Q',
    resources: `/XObject << /X ${firstExtra} 0 R >>`,
  }
  const bytes = madePdf([page], { objects: [[image, noise.toString('latin1')]] })
  const drawn = await renderers.page(saved('large.pdf', bytes), 1)
  expect(svgOf(drawn).slice(0, 500)).toMatch(/<image [^>]*href="data:image\/webp;base64,/)
  expect(drawn.svg.length).toBeLessThan(3_000_000)
  expect(drawn.lines[0]?.[4]).toBe('图')
})

test('a file that was converted again under the same name is read again', async () => {
  const book = saved('again.pdf', madePdf([{ lines: ['旧'] }]))
  expect((await renderers.page(book, 1)).lines[0]?.[4]).toBe('旧')
  saved('again.pdf', madePdf([{ lines: ['新'] }]))
  utimesSync(book.path, 1e9, 1e9)
  expect((await renderers.page(book, 1)).lines[0]?.[4]).toBe('新')
})

/** The share of dark points in a part of the page, as another program shows it. */
async function darkness(page: DrawnPage, part: Region): Promise<number> {
  const { data } = await sharp(gunzipSync(page.svg))
    .extract(part)
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return data.filter((value) => value < 128).length / data.length
}

function looping(): string {
  return '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [2 0 R] /Count 1 >>\nendobj\ntrailer\n<< /Root 1 0 R /Size 3 >>\n%%EOF\n'
}

function madeEpub(title: string, chapters: [title: string, body: string][]): Uint8Array {
  const xhtml = (body: string) =>
    strToU8(
      `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>${title}</title></head><body>${body}</body></html>`,
    )
  const items = chapters
    .map((_, n) => `<item id="c${n}" href="c${n}.xhtml" media-type="application/xhtml+xml"/>`)
    .join('')
  const spine = chapters.map((_, n) => `<itemref idref="c${n}"/>`).join('')
  const points = chapters
    .map(
      ([name], n) =>
        `<navPoint id="p${n}" playOrder="${n + 1}"><navLabel><text>${name}</text></navLabel><content src="c${n}.xhtml"/></navPoint>`,
    )
    .join('')
  return zipSync({
    mimetype: [strToU8('application/epub+zip'), { level: 0 }],
    'META-INF/container.xml': strToU8(
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    ),
    'book.opf': strToU8(
      `<package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="i"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></metadata><manifest>${items}<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest><spine toc="ncx">${spine}</spine></package>`,
    ),
    'toc.ncx': strToU8(
      `<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><navMap>${points}</navMap></ncx>`,
    ),
    ...Object.fromEntries(chapters.map(([name, body], n) => [`c${n}.xhtml`, xhtml(`<h1>${name}</h1>${body}`)])),
  })
}
