import type { Manuscript } from './chapters.ts'
import { type PdfPage, paginate } from './pdf-pages.ts'
import { paragraphs } from './prose.ts'

interface PdfOptions extends Manuscript {
  pages?: number
  text?: (page: number) => string[]
}

interface OutlineEntry {
  title: string
  /** From 0. */
  page: number
}

/** A Chinese PDF. Its font is not embedded, which keeps the file small: every reader has a substitute. */
export function makePdf(options: PdfOptions = {}): Uint8Array {
  const { title = '文库年报', author = '文库' } = options
  const { pages, outline } = options.chapters
    ? bookPages({ title, author, chapters: options.chapters })
    : numberedPages({ ...options, title })
  const firstPage = 7
  const firstEntry = firstPage + pages.length * 2
  const lastEntry = firstEntry + outline.length - 1
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${firstPage + index * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [4 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 4 >> /DW 1000 /W [1 95 500] /FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >> >>',
    `<< /Type /Outlines /Count ${outline.length} /First ${firstEntry} 0 R /Last ${lastEntry} 0 R >>`,
    `<< /Title ${toHexString(title, true)} /Author ${toHexString(author, true)} >>`,
    ...pages.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${firstPage + index * 2 + 1} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
    ...outline.map((entry, index) => {
      const next = index + 1 < outline.length ? ` /Next ${firstEntry + index + 1} 0 R` : ''
      const previous = index > 0 ? ` /Prev ${firstEntry + index - 1} 0 R` : ''
      return `<< /Title ${toHexString(entry.title, true)} /Parent 5 0 R /Dest [${firstPage + entry.page * 2} 0 R /Fit]${next}${previous} >>`
    }),
  ]
  return writeFile(objects)
}

function writeFile(objects: readonly string[]): Uint8Array {
  const parts = ['%PDF-1.5\n']
  let length = parts[0]?.length ?? 0
  const xref = objects.map((object, index) => {
    const part = `${index + 1} 0 obj\n${object}\nendobj\n`
    const at = length
    parts.push(part)
    length += part.length
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  parts.push(
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${xref.join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 6 0 R >>\nstartxref\n${length}\n%%EOF\n`,
  )
  return Buffer.from(parts.join(''), 'latin1')
}

/** Pages of the same text, each with its number and an entry in the outline. */
function numberedPages({ title = '', pages = 1, text }: PdfOptions): { pages: string[]; outline: OutlineEntry[] } {
  const numbers = Array.from({ length: pages }, (_, index) => index + 1)
  const textOf = text ?? ((page: number) => paragraphs(5).map((line) => `${page}-${line}`))
  return {
    pages: numbers.map((n) => {
      const lines = textOf(n).flatMap((line) => `　　${line}`.match(/.{1,34}/gu) ?? [])
      const operators = lines.slice(0, 34).map((line) => `${toHexString(line)} Tj T*`)
      return `BT /F1 20 Tf 72 770 Td ${toHexString(`${title} ${n}`)} Tj ET\nBT /F1 13 Tf 20 TL 72 730 Td\n${operators.join('\n')}\nET`
    }),
    outline: numbers.map((n) => ({ title: `第 ${n} 页`, page: n - 1 })),
  }
}

const blue = '0.114 0.306 0.537 rg'

/** A cover and the chapters; each chapter has an entry in the outline. */
function bookPages({ title, author, chapters }: Required<Manuscript>): { pages: string[]; outline: OutlineEntry[] } {
  const { pages, starts } = paginate(chapters)
  const cover = [
    `q ${blue} 0 482 595 360 re f 0.949 0.647 0.255 rg 0 476 595 6 re f Q`,
    `q 1 1 1 rg ${textOperators({ x: 72, y: 560, size: title.length > 14 ? 28 : 36, text: title })} Q`,
    `q 0.4 0.4 0.4 rg ${textOperators({ x: 72, y: 430, size: 16, text: author })} Q`,
  ]
  return {
    pages: [cover.join('\n'), ...pages.map((page, index) => pageContent(page, { title, number: index + 1 }))],
    outline: chapters.map((chapter, index) => ({ title: chapter.title, page: (starts[index] ?? 0) + 1 })),
  }
}

function pageContent(
  { headings, lines, rules }: PdfPage,
  { title, number }: { title: string; number: number },
): string {
  return [
    `q 0.53 0.53 0.53 rg ${textOperators({ x: 72, y: 796, size: 9, text: title })} 0.8 G 72 788 m 523 788 l S ${textOperators({ x: 290, y: 40, size: 10, text: String(number) })} Q`,
    ...headings.map((heading) => `q ${blue} ${textOperators({ ...heading, size: 20 })} Q`),
    ...lines.map((line) => textOperators({ ...line, size: 14 })),
    ...rules.map((y) => `q 0.72 0.76 0.8 RG 72 ${y} m 523 ${y} l S Q`),
  ].join('\n')
}

function textOperators({ x, y, size, text }: { x: number; y: number; size: number; text: string }): string {
  return `BT /F1 ${size} Tf ${x} ${y} Td ${toHexString(text)} Tj ET`
}

function toHexString(text: string, withBom = false): string {
  return `<${Buffer.from((withBom ? '\ufeff' : '') + text, 'utf16le')
    .swap16()
    .toString('hex')}>`
}
