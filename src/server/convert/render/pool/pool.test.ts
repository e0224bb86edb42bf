import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import * as mupdf from 'mupdf'
import sharp, { type Region } from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RenderedPage, RenderSource } from '../../converter.ts'
import { firstExtraObject, makeRawPdf, pdfText } from '#server/samples/raw-pdf.ts'
import { type RendererPool, createRendererPool } from './pool.ts'

const folder = mkdtempSync(join(tmpdir(), 'wendou-render-'))
let pool: RendererPool

beforeAll(async () => {
  pool = createRendererPool({ processes: 1, folders: [folder] })
  await pool.warmUp()
})

afterAll(async () => {
  await pool.close()
  rmSync(folder, { recursive: true })
})

function saveDocument(name: string, bytes: Uint8Array): RenderSource {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  const type = name.split('.').at(-1)
  return { path, type: type === 'epub' || type === 'mobi' ? type : 'pdf' }
}

/** The lines of a page, which is rendered as well. */
async function linesOf(source: RenderSource, page: number) {
  await pool.renderPage(source, page)
  return (await pool.extractLines(source, page, page))[0]?.lines ?? []
}

const svgOf = (page: RenderedPage) => gunzipSync(page.svg).toString('utf8')

test('a Chinese page is rendered, and its lines have text and position', async () => {
  const source = saveDocument('chinese.pdf', makeRawPdf([{ lines: ['第一章 绪论', '若 a < b & c > d，则成立。'] }]))
  const page = await pool.renderPage(source, 1)
  expect(page).toMatchObject({ width: 595, height: 842 })
  const lines = await linesOf(source, 1)
  expect(lines.map(([, , , , text]) => text)).toEqual(['第一章绪论', '若 a < b & c > d，则成立。'])
  const [x, y, width, height] = lines[0] ?? [0, 0, 0, 0]
  expect(x).toBeCloseTo(60, 0)
  expect(y).toBeGreaterThan(45)
  expect(y + height).toBeLessThan(72)
  expect(width).toBeGreaterThan(55)
  expect(svgOf(page)).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="595" height="842" viewBox="0 0 595 842">/,
  )
  expect(svgOf(page).match(/<use /g)?.length).toBeGreaterThan(10)
  // Dark pixels at the first line, none in the middle of the page.
  expect(await darkness(page, { left: 60, top: 45, width: 70, height: 30 })).toBeGreaterThan(0.02)
  expect(await darkness(page, { left: 60, top: 400, width: 400, height: 200 })).toBe(0)
})

test('page count, sizes, outline, title and author', async () => {
  const pages = [{ lines: ['一'] }, { lines: ['二'], box: '0 0 842 595' }, { lines: ['三'] }]
  const outline = [
    '<< /First 11 0 R /Last 12 0 R /Count 2 >>',
    `<< /Title ${pdfText('第一章')} /Parent 10 0 R /Next 12 0 R /Dest [14 0 R /Fit] >>`,
    `<< /Title ${pdfText('第二章')} /Parent 10 0 R /Prev 11 0 R /Dest [18 0 R /Fit] /First 13 0 R /Last 13 0 R /Count 1 >>`,
    `<< /Title ${pdfText('第一节')} /Parent 12 0 R /Dest [18 0 R /Fit] >>`,
  ]
  const info = `/Title ${pdfText('论文 <b>题目</b>')} /Author ${pdfText('张三')}`
  const source = saveDocument('outline.pdf', makeRawPdf(pages, { catalog: '/Outlines 10 0 R', objects: outline, info }))
  expect(await pool.open(source)).toEqual({
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
  const source = saveDocument(
    'script.pdf',
    makeRawPdf([{ lines, entries: `/Annots [${link}] /AA << /O ${action} >>` }], { catalog: `/OpenAction ${action}` }),
  )
  const page = await pool.renderPage(source, 1)
  expect(svgOf(page)).not.toMatch(
    /script|alert|javascript|<a[\s>]|onerror|<img|foreignObject|http(?!:\/\/www\.w3\.org\/2000\/svg")/i,
  )
  expect((await linesOf(source, 1)).map(([, , , , text]) => text)).toEqual(lines)
})

test('the lines of many pages come in order', async () => {
  const pages = Array.from({ length: 40 }, (_, n) => ({ lines: [`这是第${n + 1}页`] }))
  const source = saveDocument('lines.pdf', makeRawPdf(pages))
  const read = await pool.extractLines(source, 2, 39)
  expect(read.map(({ page, lines }) => [page, lines[0]?.[4]])).toEqual(
    Array.from({ length: 38 }, (_, n) => [n + 2, `这是第${n + 2}页`]),
  )
})

test('an image has the requested width', async () => {
  const source = saveDocument('image.pdf', makeRawPdf([{ content: '1 0 0 rg 0 0 595 842 re f', box: '0 0 400 200' }]))
  const { webp: image, tint } = await pool.renderImage(source, 1, 200)
  expect(tint).toBe('#ff0000')
  expect(await sharp(image).metadata()).toMatchObject({ format: 'webp', width: 200, height: 100 })
  const { channels } = await sharp(image).stats()
  expect(channels.map(({ mean }) => Math.round(mean / 64))).toEqual([4, 0, 0])
})

test('the cover of a page of text is its upper part; an empty page has none', async () => {
  const lines = ['第一章 绪论', '若 a < b & c > d，则成立。']
  const source = saveDocument('cover.pdf', makeRawPdf([{ lines }]))
  const cover = await pool.renderCover(source, 420)
  const page = await pool.renderImage(source, 1, 420)
  expect(await sharp(cover?.webp).metadata()).toMatchObject({ format: 'webp', width: 420, height: 594 })
  const inkOf = async (webp?: Uint8Array) => 255 - ((await sharp(webp).stats()).channels[0]?.mean ?? 255)
  expect(await inkOf(cover?.webp)).toBeGreaterThan(3 * (await inkOf(page.webp)))
  expect(await pool.renderCover(saveDocument('empty.pdf', makeRawPdf([{}])), 420)).toBeUndefined()
})

test('an EPUB is laid out in pages', async () => {
  const paragraph = `<p>${'春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。'.repeat(8)}</p>`
  const source = saveDocument(
    'book.epub',
    makeEpub('诗集', [
      ['卷一', paragraph.repeat(10)],
      ['卷二', paragraph.repeat(10)],
    ]),
  )
  const info = await pool.open(source)
  expect(info.title).toBe('诗集')
  expect(info.pages).toBeGreaterThan(5)
  expect(info.sizes).toEqual([{ width: 440, height: 622 }])
  expect(info.outline.map(({ title }) => title)).toEqual(['卷一', '卷二'])
  expect(info.outline[1]?.page).toBeGreaterThan(3)
  expect((await linesOf(source, info.outline[1]?.page ?? 0))[0]?.[4]).toBe('卷二')
  await expect(pool.renderPage(source, info.pages + 1)).rejects.toThrow(RangeError)
})

test('documents that cannot be shown are refused with their reasons', async () => {
  const encrypted = new mupdf.PDFDocument(makeRawPdf([{ lines: ['机密'] }])).saveToBuffer(
    'encrypt=aes-256,user-password=secret,owner-password=owner',
  )
  const documents: [RenderSource, string][] = [
    [saveDocument('encrypted.pdf', encrypted.asUint8Array()), 'encrypted'],
    [saveDocument('zero.pdf', new Uint8Array()), 'empty'],
    [saveDocument('no-pages.pdf', makeRawPdf([])), 'empty'],
    [
      saveDocument(
        'noise.pdf',
        Uint8Array.from({ length: 5000 }, (_, n) => (n * 7919) % 251),
      ),
      'damaged',
    ],
    [saveDocument('cut.pdf', makeRawPdf([{ lines: ['一'] }]).subarray(0, 300)), 'damaged'],
    [saveDocument('many.pdf', makeRawPdf([{ lines: ['一'] }], { count: 2_000_000_000 })), 'tooManyPages'],
    [saveDocument('loop.pdf', Buffer.from(pageTreeLoop())), 'damaged'],
    [{ path: saveDocument('book2.epub', makeEpub('书', [['章', '<p>文</p>']])).path, type: 'pdf' }, 'mismatch'],
    [{ path: join(folder, 'gone.pdf'), type: 'pdf' }, 'missing'],
  ]
  for (const [source, reason] of documents)
    await expect(pool.open(source), source.path).rejects.toMatchObject({ name: 'Unconvertible', reason })
})

test('a document with 20 001 pages is refused, one with 20 000 is not', async () => {
  const pages = Array.from({ length: 20_001 }, () => ({}))
  await expect(pool.open(saveDocument('20001.pdf', makeRawPdf(pages)))).rejects.toMatchObject({
    reason: 'tooManyPages',
  })
  const info = await pool.open(saveDocument('20000.pdf', makeRawPdf(pages.slice(1))))
  expect(info.pages).toBe(20_000)
  expect(info.sizes.length).toBeLessThanOrEqual(5000)
})

test('a document with only an owner password is rendered', async () => {
  const bytes = new mupdf.PDFDocument(makeRawPdf([{ lines: ['公开'] }])).saveToBuffer(
    'encrypt=aes-256,owner-password=owner',
  )
  expect((await linesOf(saveDocument('owner.pdf', bytes.asUint8Array()), 1))[0]?.[4]).toBe('公开')
})

test('huge pages and extreme aspect ratios are limited', async () => {
  const line = (width: number) => `${width} w 0 0 m 10000000 10000000 l S`
  const source = saveDocument(
    'huge.pdf',
    makeRawPdf([
      { box: '0 0 10000000 10000000', content: line(1e5) },
      { box: '0 0 10 10000', content: line(1) },
    ]),
  )
  const page = await pool.renderPage(source, 1)
  expect(page).toMatchObject({ width: 2000, height: 2000 })
  expect(svgOf(page)).toContain('viewBox="0 0 2000 2000"')
  expect(await pool.renderPage(source, 2)).toMatchObject({ width: 500, height: 10_000 })
  expect(await sharp((await pool.renderImage(source, 1, 300)).webp).metadata()).toMatchObject({
    width: 300,
    height: 300,
  })
})

test('a page that cannot be read is replaced by a notice; the others are rendered', async () => {
  const text = Buffer.from(makeRawPdf([{ lines: ['第一页'] }, { lines: ['第二页'] }])).toString('latin1')
  // The tree of pages has itself as its second page.
  const broken = text.replace('/Kids [10 0 R 12 0 R]', '/Kids [10 0 R  2 0 R]')
  const source = saveDocument('half.pdf', Buffer.from(broken, 'latin1'))
  expect((await linesOf(source, 1))[0]?.[4]).toBe('第一页')
  const page = await pool.renderPage(source, 2)
  expect(svgOf(page)).toContain('本页无法显示')
  expect(await linesOf(source, 2)).toEqual([])
})

test('a page that is too large as SVG becomes an image', async () => {
  let state = 1
  const noise = Buffer.from(Array.from({ length: 1100 * 1100 * 3 }, () => (state = (state * 48_271) % 0x7fffffff) >> 8))
  const image = '/Type /XObject /Subtype /Image /Width 1100 /Height 1100 /ColorSpace /DeviceRGB /BitsPerComponent 8'
  const page = {
    lines: ['图'],
    content: 'q 500 0 0 500 50 50 cm /X Do Q',
    resources: `/XObject << /X ${firstExtraObject} 0 R >>`,
  }
  const bytes = makeRawPdf([page], { objects: [[image, noise.toString('latin1')]] })
  const source = saveDocument('large.pdf', bytes)
  const rendered = await pool.renderPage(source, 1)
  expect(svgOf(rendered).slice(0, 500)).toMatch(/<image [^>]*href="data:image\/webp;base64,/)
  expect(rendered.svg.length).toBeLessThan(3_000_000)
  expect((await linesOf(source, 1))[0]?.[4]).toBe('图')
})

test('a file that was replaced under the same name is opened again', async () => {
  const source = saveDocument('again.pdf', makeRawPdf([{ lines: ['旧'] }]))
  expect((await linesOf(source, 1))[0]?.[4]).toBe('旧')
  saveDocument('again.pdf', makeRawPdf([{ lines: ['新'] }]))
  utimesSync(source.path, 1e9, 1e9)
  expect((await linesOf(source, 1))[0]?.[4]).toBe('新')
})

/** The share of dark pixels in a part of the page, as rendered by librsvg. */
async function darkness(page: RenderedPage, part: Region): Promise<number> {
  const { data } = await sharp(gunzipSync(page.svg))
    .extract(part)
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return data.filter((value) => value < 128).length / data.length
}

function pageTreeLoop(): string {
  return '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [2 0 R] /Count 1 >>\nendobj\ntrailer\n<< /Root 1 0 R /Size 3 >>\n%%EOF\n'
}

function makeEpub(title: string, chapters: [title: string, body: string][]): Uint8Array {
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
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="source.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    ),
    'source.opf': strToU8(
      `<package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="i"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></metadata><manifest>${items}<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest><spine toc="ncx">${spine}</spine></package>`,
    ),
    'toc.ncx': strToU8(
      `<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><navMap>${points}</navMap></ncx>`,
    ),
    ...Object.fromEntries(chapters.map(([name, body], n) => [`c${n}.xhtml`, xhtml(`<h1>${name}</h1>${body}`)])),
  })
}
