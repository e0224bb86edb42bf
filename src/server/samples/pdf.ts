import { paragraphs } from './prose.ts'

/** A PDF in Chinese. The font is one that every reader has a substitute for, so the file stays small. */
export function makePdf(given: { title?: string; pages?: number; text?: (page: number) => string[] } = {}): Uint8Array {
  const {
    title = '文库年报',
    pages = 1,
    text = (page: number) => paragraphs(5).map((line) => `${page}-${line}`),
  } = given
  const numbers = Array.from({ length: pages }, (_, index) => index + 1)
  const firstPage = 7
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R >>',
    `<< /Type /Pages /Count ${pages} /Kids [${numbers.map((n) => `${firstPage + (n - 1) * 3} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [4 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 4 >> /DW 1000 /W [1 95 500] /FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >> >>',
    `<< /Type /Outlines /Count ${pages} /First ${firstPage + 2} 0 R /Last ${firstPage + (pages - 1) * 3 + 2} 0 R >>`,
    `<< /Title ${hex(title, true)} /Author ${hex('文库', true)} >>`,
    ...numbers.flatMap((n) => {
      const at = firstPage + (n - 1) * 3
      const content = contentOf(`${title} ${n}`, text(n))
      const next = n < pages ? ` /Next ${at + 5} 0 R` : ''
      const previous = n > 1 ? ` /Prev ${at - 1} 0 R` : ''
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${at + 1} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
        `<< /Title ${hex(`第 ${n} 页`, true)} /Parent 5 0 R /Dest [${at} 0 R /Fit]${next}${previous} >>`,
      ]
    }),
  ]
  let file = '%PDF-1.5\n'
  const places = objects.map((object, index) => {
    const at = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const end = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 6 0 R >>\nstartxref\n${end}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

function contentOf(title: string, texts: string[]): string {
  const lines = texts.flatMap((text) => `　　${text}`.match(/.{1,34}/gu) ?? [])
  const shown = lines.slice(0, 34).map((line) => `${hex(line)} Tj T*`)
  return `BT /F1 20 Tf 72 770 Td ${hex(title)} Tj ET\nBT /F1 13 Tf 20 TL 72 730 Td\n${shown.join('\n')}\nET`
}

function hex(text: string, marked = false): string {
  return `<${Buffer.from((marked ? '\ufeff' : '') + text, 'utf16le')
    .swap16()
    .toString('hex')}>`
}
