import * as mupdf from 'mupdf'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOutlineCache, type OutlineCache } from './glyph-outlines.ts'
import { firstExtraObject, type RawExtras, makeRawPdf, type RawPage } from '#server/samples/raw-pdf.ts'
import { rewriteSvg } from './rewrite.ts'
import { type PlaceholderTexts, drawWithPlaceholders } from './text-placeholders.ts'

let outlines: OutlineCache
beforeEach(() => {
  outlines = createOutlineCache()
})
afterEach(() => outlines.close())

const hanzi = (text: string) => `<${Buffer.from(text, 'utf16le').swap16().toString('hex')}> Tj`
const text = (operators: string, words = '文字 abc 中国人民') => `BT /F 20 Tf ${operators} ${hanzi(words)} ET `
const states = '/ExtGState << /A << /ca .4 >> /M << /BM /Multiply >> >>'

function listOf(page: RawPage, extras?: RawExtras): mupdf.DisplayList {
  const document = mupdf.Document.openDocument(makeRawPdf([{ box: '0 0 300 200', ...page }], extras), 'application/pdf')
  return document.loadPage(0).toDisplayList(true)
}

/** Drawn by MuPDF alone, or with placeholders for its texts. */
function draw(
  list: mupdf.DisplayList,
  withPlaceholders: boolean,
): { svg: string; raw: string; placeholders?: PlaceholderTexts } {
  const buffer = new mupdf.Buffer()
  const writer = new mupdf.DocumentWriter(buffer, 'svg', 'text=path')
  const device = writer.beginPage([0, 0, 300, 200])
  const placeholders = withPlaceholders
    ? drawWithPlaceholders(list, device, mupdf.Matrix.identity, outlines)
    : undefined
  if (!withPlaceholders) list.run(device, mupdf.Matrix.identity)
  writer.endPage()
  writer.close()
  const bytes = Buffer.from(buffer.asUint8Array())
  const options = { width: 300, height: 200, shortGlyphs: new Map(), replaceImage: () => '' }
  if (!placeholders) return { svg: rewriteSvg(bytes, options).toString(), raw: bytes.toString() }
  if (!outlines.load()) return draw(list, true)
  return { svg: rewriteSvg(bytes, { ...options, placeholders }).toString(), raw: bytes.toString(), placeholders }
}

async function pixels(svg: string): Promise<Uint8Array> {
  return sharp(Buffer.from(svg), { density: 144 }).flatten({ background: '#fff' }).removeAlpha().raw().toBuffer()
}

/** The mean difference of the two drawings, and the mean darkness of the one by MuPDF, both of 255. */
async function compare(list: mupdf.DisplayList) {
  const [expected, actual] = await Promise.all([pixels(draw(list, false).svg), pixels(draw(list, true).svg)])
  expect(actual.length).toBe(expected.length)
  let difference = 0
  let ink = 0
  for (const [n, value] of expected.entries()) {
    difference += Math.abs(value - (actual[n] ?? 0))
    ink += 255 - value
  }
  return { difference: difference / expected.length, ink: ink / expected.length }
}

const tile = [
  '/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 40 40] /XStep 40 /YStep 40 /Resources << /Font << /F 3 0 R >> >>',
  `1 0 0 rg BT /F 18 Tf 5 5 Td ${hanzi('图')} ET`,
] as const

test.for<[string, RawPage, RawExtras?]>([
  ['plain', { content: text('20 100 Td') }],
  ['turned, slanted and mirrored', { content: text('.7 .7 -.7 .7 90 20 Tm') + text('-1 0 .3 1 280 30 Tm') }],
  ['stretched and raised', { content: text('20 100 Td 140 Tz 5 Ts') }],
  ['on a turned page', { content: text('20 100 Td'), entries: '/Rotate 90' }],
  ['half transparent', { content: `/A gs 1 0 0 rg ${text('20 100 Td')}${text('25 95 Td')}`, resources: states }],
  ['white on blue', { content: `0 0 1 rg 0 80 300 60 re f 1 g ${text('20 100 Td')}` }],
  ['multiplied', { content: `1 1 0 rg 0 80 300 60 re f /M gs 0 1 1 rg ${text('20 100 Td')}`, resources: states }],
  ['clipped by a box', { content: `q 20 100 60 9 re W n ${text('20 100 Td')} Q` }],
  ['as a clip', { content: `q ${text('7 Tr 20 100 Td')} 1 0 0 rg 0 0 300 108 re f Q` }],
  ['stroked', { content: `1 0 0 RG ${text('1 Tr 20 100 Td')}0 1 0 rg ${text('2 Tr 20 50 Td')}` }],
  ['in CMYK', { content: `1 0 0 0 k ${text('20 100 Td')}` }],
  ['very large', { content: 'BT /F 90 Tf 20 60 Td ' + hanzi('大') + ' ET' }],
  [
    'inside a pattern and filled with one',
    {
      content: `/Pattern cs /P scn 20 20 100 160 re f ${text('130 100 Td')}`,
      resources: `/Pattern << /P ${firstExtraObject} 0 R >>`,
    },
    { objects: [tile] },
  ],
])('text %s looks as MuPDF draws it', async ([, page, extras]) => {
  const { difference, ink } = await compare(listOf(page, extras))
  expect(ink).toBeGreaterThan(0.3)
  expect(difference / ink).toBeLessThan(0.04)
})

test('invisible text stays invisible', async () => {
  const list = listOf({ content: text('3 Tr 20 100 Td') })
  expect(await compare(list)).toEqual({ difference: 0, ink: 0 })
})

test('glyphs of Type 3 fonts are left to MuPDF', async () => {
  const font =
    '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 750 750] /FontMatrix [.001 0 0 .001 0 0] /CharProcs << /s 11 0 R >> ' +
    '/Encoding << /Type /Encoding /Differences [97 /s] >> /FirstChar 97 /LastChar 97 /Widths [1000] /Resources << >> >>'
  const square = ['', '1000 0 d0 1 0 0 rg 0 0 750 750 re f'] as const
  const content = `BT /T 20 Tf 20 100 Td (aa) Tj ET ${text('20 50 Td')}`
  const list = listOf({ content, resources: '/Font << /F 3 0 R /T 10 0 R >>' }, { objects: [font, square] })
  const { difference, ink } = await compare(list)
  expect(ink).toBeGreaterThan(1)
  expect(difference / ink).toBeLessThan(0.04)
  expect(draw(list, true).placeholders?.texts).toHaveLength(1)
})

test('an outline is extracted once for a document', () => {
  const list = listOf({ content: text('20 100 Td') })
  const first = draw(list, true)
  expect(first.raw).not.toContain('font_')
  expect(first.svg.match(/<use /g)).toHaveLength(draw(list, false).svg.match(/<use /g)?.length ?? 0)
  const again = draw(list, true)
  expect(again.svg).toBe(first.svg)
  expect(again.placeholders?.texts[0]?.spans[0]?.outlines[0]).toBe(first.placeholders?.texts[0]?.spans[0]?.outlines[0])
})

test('paths of a document are not taken for placeholders', () => {
  const content = Array.from({ length: 50 }, (_, n) => `-${100_000 + n} 0 m -${100_000 + n} 1 l f `).join('')
  const { svg, placeholders } = draw(listOf({ content: content + text('20 100 Td', '字') }), true)
  expect(placeholders?.texts).toHaveLength(1)
  expect(svg.match(/<use /g)).toHaveLength(1)
})

test('a colour that cannot be passed on fails, so that the page is drawn without placeholders', () => {
  const space = '[/DeviceN [/A /B] /DeviceRGB << /FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1] /Length 9 >>]'
  const tint = ['/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]', '{ 0 }'] as const
  const resources = `/ColorSpace << /N ${space.replace(/<<.*>>/, `${firstExtraObject} 0 R`)} >>`
  const list = listOf({ content: `/N cs .2 .9 scn ${text('20 100 Td')}`, resources }, { objects: [tint] })
  expect(() => draw(list, true)).toThrow('2 components')
  // MuPDF still works afterwards.
  expect(draw(listOf({ content: text('20 100 Td') }), true).placeholders?.texts).toHaveLength(1)
})

test('fonts and glyphs above the limits are evicted', () => {
  const cache = createOutlineCache(1, 5)
  const font = (name: string) => cache.fontOf(new mupdf.Font(name))
  const helvetica = font('Helvetica')
  for (let glyph = 1; glyph <= 9; glyph++) cache.request(helvetica, glyph)
  expect(cache.load()).toBe(true)
  expect(helvetica.glyphs.get(5)?.data.length).toBeGreaterThan(0)
  cache.evict()
  expect(font('Helvetica').glyphs.size).toBe(0)
  font('Courier')
  cache.evict()
  expect(cache.fontOf(font('Courier').font).font.getName()).toContain('Courier')
  cache.close()
})
