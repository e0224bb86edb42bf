import * as mupdf from 'mupdf'
import { expect, test } from 'vitest'
import { firstExtraObject, makeRawPdf } from '#server/samples/raw-pdf.ts'
import { type PositionedLine, positionLines } from '#web/features/documents/reader/text/text-lines.ts'
import { readRawLines } from './structured-text.ts'
import { placeLines, type RawLine } from './lines.ts'

/** Highlights lie on the glyphs as MuPDF draws them, when a browser sets the lines of a page in Arial and a Chinese font. */

const page = { width: 595, height: 842 }
const latin = (part: string) => `(${part}) Tj`
const chinese = (part: string) => `<${toHex(part)}> Tj`
/** Characters that are moved apart, in thousandths of the font's size; together, if it is negative. */
const spaced = (part: string, by: number) => `[${Array.from(part, (char) => `<${toHex(char)}> ${-by}`).join(' ')}] TJ`

/** Each is a line: fonts F (Chinese), T (Times), C (Courier), B (Helvetica, bold). */
const printed = {
  'two fonts': [
    '/F 10.5 Tf',
    chinese('文豆'),
    '/T 10.5 Tf',
    latin(' Wendou PostgreSQL '),
    '/F 10.5 Tf',
    chinese('全文检索，第'),
    '/T 10.5 Tf',
    latin('12'),
    '/F 10.5 Tf',
    chinese('章'),
  ],
  'a row of narrow and of broad letters': [
    '/T 12 Tf',
    latin('illlliiiii WWWWMMMM illustrating '),
    '/F 12 Tf',
    chinese('网络的速度'),
  ],
  'a typewriter font': [
    '/F 10.5 Tf',
    chinese('运行命令'),
    '/C 10.5 Tf',
    latin(' illiterate --immediately '),
    '/F 10.5 Tf',
    chinese('之后重新启动'),
  ],
  justified: [
    '/F 10.5 Tf',
    spaced('两端对齐的一行里每个字', 70),
    '/T 10.5 Tf 4 Tw',
    latin(' are further apart '),
    '0 Tw /F 10.5 Tf',
    spaced('都隔得远一些', 45),
  ],
  'a heading with its letters apart': [
    '/F 16 Tf 6 Tc',
    chinese('第三章'),
    '/B 16 Tf 3 Tc',
    latin(' Wendou '),
    '/F 16 Tf 1.5 Tc',
    chinese('全文检索'),
  ],
  'narrow punctuation': [
    '/F 10.5 Tf',
    chinese('他说'),
    spaced('：“', -500),
    chinese('用'),
    '/T 10.5 Tf',
    latin('PDF'),
    '/F 10.5 Tf',
    spaced('”，（', -500),
    chinese('然后导出'),
    spaced('）。', -500),
    chinese('结束'),
  ],
  'several sizes': [
    '/F 18 Tf',
    chinese('大字'),
    '/T 9 Tf',
    latin(' small letters '),
    '/F 7 Tf',
    chinese('小字注解'),
    '/B 14 Tf',
    latin(' Bold'),
    '/F 5 Tf 5 Ts',
    chinese('上标'),
  ],
  oblique: [
    '1 0 0.33 1 50 450 Tm /F 12 Tf',
    chinese('斜体的中文'),
    '/T 12 Tf',
    latin(' oblique letters '),
    '/F 12 Tf',
    chinese('也在原处'),
  ],
  ligatures: [
    '/F 12 Tf',
    chinese('高效的'),
    '/T 12 Tf',
    latin(' e\\002cient o\\002ce \\001le '),
    '/F 12 Tf',
    chinese('办公软件'),
  ],
  condensed: [
    '70 Tz /F 12 Tf',
    chinese('压扁的字与'),
    '/T 12 Tf',
    latin(' condensed letters '),
    '/F 12 Tf',
    chinese('同行'),
  ],
  'a sign of another font': [
    '/T 12 Tf',
    latin('\\003 '),
    '/F 12 Tf',
    chinese('项目符号之后的'),
    '/T 12 Tf',
    latin(' Latin '),
    '/F 12 Tf',
    chinese('文字'),
  ],
}

test.each(Object.entries(printed))('on a line of Chinese and Latin: %s', (_, operators) => {
  const [raw, line] = readLine(operators)
  const targets = pieces(line.text)
  expect(targets.length).toBeGreaterThan(5)
  for (const [from, to] of targets) {
    const glyphs = glyphsOf(raw, line.text, from, to)
    expect(overlap(highlightOf(line, from, to), glyphs), line.text.slice(from, to)).toBeGreaterThan(0.9)
  }
})

function readLine(operators: readonly string[]): [RawLine, PositionedLine & { x: number; em: number }] {
  const fonts = ['Times-Roman', 'Courier', 'Helvetica-Bold'].map(
    (name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding << /Differences [1 /fi /ffi /bullet] >> >>`,
  )
  const [times, courier, bold] = fonts.map((_, index) => `${firstExtraObject + index} 0 R`)
  const form = firstExtraObject + fonts.length
  const resources = `/Resources << /Font << /F 3 0 R /T ${times} /C ${courier} /B ${bold} >> >>`
  const content = `BT 50 500 Td ${operators.join(' ')} ET`
  const file = makeRawPdf([{ content: '/X Do', resources: `/XObject << /X ${form} 0 R >>` }], {
    objects: [...fonts, [`/Type /XObject /Subtype /Form /BBox [0 0 595 842] ${resources}`, content]],
  })
  const list = mupdf.Document.openDocument(file, 'application/pdf').loadPage(0).toDisplayList(true)
  const [raw] = readRawLines(list)
  const lines = placeLines(raw ? [raw] : [], { scale: 1, left: 0, top: 0 })
  const [line] = positionLines({ ...page, lines }, widthInArial)
  if (!raw || !line) throw new Error('the page has no text')
  return [raw, { ...line, x: (line.left / 100) * page.width, em: (line.height / 100) * page.height }]
}

const arial = new mupdf.Font('Helvetica')
const isWide = (char: string) => /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u.test(char)

/** Where Chinese characters are as wide as high; others in the font whose widths Arial has. */
function widthInArial(text: string): number {
  const widths = Array.from(text, (char) =>
    isWide(char) ? 1 : arial.advanceGlyph(arial.encodeCharacter(char.codePointAt(0) ?? 0), 0),
  )
  return widths.reduce((sum, width) => sum + width, 0)
}

/** Two and four Chinese characters from each place; Latin words, and the halves of long ones without ligatures. */
function pieces(text: string): [number, number][] {
  const rows = [...text.matchAll(/\p{Script=Han}+/gu)].flatMap(({ index, 0: row }) =>
    [2, 4].flatMap((length) =>
      Array.from({ length: Math.max(0, row.length - length + 1) }, (_, at): [number, number] => [
        index + at,
        index + at + length,
      ]),
    ),
  )
  const words = [...text.matchAll(/[a-z0-9]{2,}/gi)].flatMap(({ index, 0: word }): [number, number][] => {
    const [end, middle] = [index + word.length, index + Math.floor(word.length / 2)]
    const halves: [number, number][] = [
      [index, middle],
      [middle, end],
    ]
    return [[index, end], ...(word.length >= 8 && !/ffi/.test(word) ? halves : [])]
  })
  return [...rows, ...words]
}

type Extent = readonly [start: number, end: number]

/** As the browser sets the runs of the line one after the other. */
function highlightOf(
  { text, runs, x, em }: PositionedLine & { x: number; em: number },
  from: number,
  to: number,
): Extent {
  let at = x
  let [start, end] = [Infinity, -Infinity]
  for (const run of runs) {
    const toPoints = (ems: number) => ems * run.size * em
    at += toPoints(run.gap)
    const runStart = at
    for (let index = run.from; index < run.to; index += 1) {
      if (index >= from && index < to) start = Math.min(start, at)
      const char = text.charAt(index)
      at += toPoints(widthInArial(char) + (char === ' ' ? run.blank : 0))
      if (index >= from && index < to) end = Math.max(end, at)
    }
    if (run.width !== undefined) at = runStart + toPoints(run.width)
  }
  return [start, end]
}

/** Halfway up, as the corners of oblique letters reach over their neighbours. */
function glyphsOf({ text: rawText, quads }: RawLine, text: string, from: number, to: number): Extent {
  const drawn = Array.from(rawText).flatMap((char, index) => (char.trim() === '' ? [] : [quads[index] ?? noQuad]))
  const countOf = (part: string) => part.replaceAll(' ', '').length
  const wanted = drawn.slice(countOf(text.slice(0, from)), countOf(text.slice(0, to)))
  return [
    Math.min(...wanted.map((quad) => (quad[0] + quad[4]) / 2)),
    Math.max(...wanted.map((quad) => (quad[2] + quad[6]) / 2)),
  ]
}

const noQuad = [0, 0, 0, 0, 0, 0, 0, 0] as const

/** What both cover of what either covers. */
function overlap(mark: Extent, glyphs: Extent): number {
  const both = Math.min(mark[1], glyphs[1]) - Math.max(mark[0], glyphs[0])
  return Math.max(0, both) / (Math.max(mark[1], glyphs[1]) - Math.min(mark[0], glyphs[0]))
}

function toHex(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex')
}
