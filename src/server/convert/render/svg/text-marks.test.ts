import * as mupdf from 'mupdf'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openOutlines, type Outlines } from './glyph-outlines.ts'
import { firstExtra, type MadeExtras, madePdf, type MadePage } from '../made-pdf.ts'
import { minify } from './minify.ts'
import { type Marked, runMarked } from './text-marks.ts'

let outlines: Outlines
beforeEach(() => {
  outlines = openOutlines()
})
afterEach(() => outlines.close())

const hanzi = (text: string) => `<${Buffer.from(text, 'utf16le').swap16().toString('hex')}> Tj`
const text = (operators: string, words = '文字 abc 中国人民') => `BT /F 20 Tf ${operators} ${hanzi(words)} ET `
const states = '/ExtGState << /A << /ca .4 >> /M << /BM /Multiply >> >>'

function listOf(page: MadePage, extras?: MadeExtras): mupdf.DisplayList {
  const document = mupdf.Document.openDocument(madePdf([{ box: '0 0 300 200', ...page }], extras), 'application/pdf')
  return document.loadPage(0).toDisplayList(true)
}

/** Drawn by the library alone, or with marks in place of texts. */
function drawn(list: mupdf.DisplayList, marks: boolean): { svg: string; printed: string; marked?: Marked } {
  const buffer = new mupdf.Buffer()
  const writer = new mupdf.DocumentWriter(buffer, 'svg', 'text=path')
  const device = writer.beginPage([0, 0, 300, 200])
  const marked = marks ? runMarked(list, device, mupdf.Matrix.identity, outlines) : undefined
  if (!marks) list.run(device, mupdf.Matrix.identity)
  writer.endPage()
  writer.close()
  const size = { width: 300, height: 200, glyphs: new Map(), replaceImage: () => '' }
  if (!marked) return { svg: minify(Buffer.from(buffer.asUint8Array()), size).toString(), printed: buffer.asString() }
  if (!outlines.print()) return drawn(list, true)
  const svg = minify(Buffer.from(buffer.asUint8Array()), { ...size, marked }).toString()
  return { svg, printed: buffer.asString(), marked }
}

async function pixels(svg: string): Promise<Uint8Array> {
  return sharp(Buffer.from(svg), { density: 144 }).flatten({ background: '#fff' }).removeAlpha().raw().toBuffer()
}

/** How much two drawings differ in the mean, and how much ink the first has, both of 255. */
async function compared(list: mupdf.DisplayList) {
  const [one, other] = await Promise.all([pixels(drawn(list, false).svg), pixels(drawn(list, true).svg)])
  expect(one.length).toBe(other.length)
  let difference = 0
  let ink = 0
  for (const [n, value] of one.entries()) {
    difference += Math.abs(value - (other[n] ?? 0))
    ink += 255 - value
  }
  return { difference: difference / one.length, ink: ink / one.length }
}

const tile = [
  '/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 40 40] /XStep 40 /YStep 40 /Resources << /Font << /F 3 0 R >> >>',
  `1 0 0 rg BT /F 18 Tf 5 5 Td ${hanzi('图')} ET`,
] as const

test.for<[string, MadePage, MadeExtras?]>([
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
  ['in printing inks', { content: `1 0 0 0 k ${text('20 100 Td')}` }],
  ['very large', { content: 'BT /F 90 Tf 20 60 Td ' + hanzi('大') + ' ET' }],
  [
    'inside a pattern and filled with one',
    {
      content: `/Pattern cs /P scn 20 20 100 160 re f ${text('130 100 Td')}`,
      resources: `/Pattern << /P ${firstExtra} 0 R >>`,
    },
    { objects: [tile] },
  ],
])('text %s looks as if the library had drawn it', async ([, page, extras]) => {
  const { difference, ink } = await compared(listOf(page, extras))
  expect(ink).toBeGreaterThan(0.3)
  expect(difference / ink).toBeLessThan(0.04)
})

test('invisible text stays invisible', async () => {
  const list = listOf({ content: text('3 Tr 20 100 Td') })
  expect(await compared(list)).toEqual({ difference: 0, ink: 0 })
})

test('letters that are drawings of their own (Type 3) are left to the library', async () => {
  const font =
    '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 750 750] /FontMatrix [.001 0 0 .001 0 0] /CharProcs << /s 11 0 R >> ' +
    '/Encoding << /Type /Encoding /Differences [97 /s] >> /FirstChar 97 /LastChar 97 /Widths [1000] /Resources << >> >>'
  const square = ['', '1000 0 d0 1 0 0 rg 0 0 750 750 re f'] as const
  const content = `BT /T 20 Tf 20 100 Td (aa) Tj ET ${text('20 50 Td')}`
  const list = listOf({ content, resources: '/Font << /F 3 0 R /T 10 0 R >>' }, { objects: [font, square] })
  const { difference, ink } = await compared(list)
  expect(ink).toBeGreaterThan(1)
  expect(difference / ink).toBeLessThan(0.04)
  expect(drawn(list, true).marked?.texts).toHaveLength(1)
})

test('an outline is printed once for a document, and none in the page itself', () => {
  const list = listOf({ content: text('20 100 Td') })
  const first = drawn(list, true)
  expect(first.printed).not.toContain('font_')
  expect(first.svg.match(/<use /g)).toHaveLength(drawn(list, false).svg.match(/<use /g)?.length ?? 0)
  const again = drawn(list, true)
  expect(again.svg).toBe(first.svg)
  expect(again.marked?.texts[0]?.spans[0]?.outlines[0]).toBe(first.marked?.texts[0]?.spans[0]?.outlines[0])
})

test('a document that draws what looks like a mark gets only what it draws', () => {
  const content = Array.from({ length: 50 }, (_, n) => `-${100_000 + n} 0 m -${100_000 + n} 1 l f `).join('')
  const { svg, marked } = drawn(listOf({ content: content + text('20 100 Td', '字') }), true)
  expect(marked?.texts).toHaveLength(1)
  expect(svg.match(/<use /g)).toHaveLength(1)
})

test('a colour that cannot be handed on fails, so that the page is drawn without marks', () => {
  const space = '[/DeviceN [/A /B] /DeviceRGB << /FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1] /Length 9 >>]'
  const made = ['/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]', '{ 0 }'] as const
  const resources = `/ColorSpace << /N ${space.replace(/<<.*>>/, `${firstExtra} 0 R`)} >>`
  const list = listOf({ content: `/N cs .2 .9 scn ${text('20 100 Td')}`, resources }, { objects: [made] })
  expect(() => drawn(list, true)).toThrow('2 inks')
  // The library is in order afterwards.
  expect(drawn(listOf({ content: text('20 100 Td') }), true).marked?.texts).toHaveLength(1)
})

test('no more fonts and glyphs are kept than were allowed', () => {
  const few = openOutlines(1, 5)
  const font = (name: string) => few.of(new mupdf.Font(name))
  const one = font('Helvetica')
  for (let glyph = 1; glyph <= 9; glyph++) few.ask(one, glyph)
  expect(few.print()).toBe(true)
  expect(one.glyphs.get(5)?.data.length).toBeGreaterThan(0)
  few.trim()
  expect(font('Helvetica').glyphs.size).toBe(0)
  font('Courier')
  few.trim()
  expect(few.of(font('Courier').font).font.getName()).toContain('Courier')
  few.close()
})
