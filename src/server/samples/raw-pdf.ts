/** PDFs from operators and dictionaries, valid or not, for tests and benchmarks. */

export interface RawPage {
  /** Lines of text from the top, Chinese or Latin. */
  lines?: string[]
  /** Operators of the content stream, after the lines. */
  content?: string
  /** Left, bottom, right, top. */
  box?: string
  /** More entries of the page's dictionary. */
  entries?: string
  /** More entries of the page's resources. */
  resources?: string
}

export interface RawExtras {
  /** More entries of the catalogue. */
  catalog?: string
  info?: string
  /** The page count that the page tree states. */
  count?: number
  /** Further objects, numbered from `firstExtraObject`: a dictionary or `[dictionary, stream]`. */
  objects?: (string | readonly [dictionary: string, stream: string])[]
}

/** The number of the first of `RawExtras.objects`. */
export const firstExtraObject = 10
/** Catalogue, page tree, font and information. */
const fixedObjectCount = 4

/** Forms nested nine levels deep, each drawn twelve times by the one above: rendering the first page never ends. */
export function makeEndlessPdf(title: string): Uint8Array {
  const form = (next: number) =>
    `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X ${next} 0 R >> >>`
  const forms = Array.from(
    { length: 9 },
    (_, n) => [form(firstExtraObject + n + 1), n === 8 ? '0 0 m 9 9 l S' : '/X Do '.repeat(12)] as const,
  )
  const endless = { lines: [title], content: '/X Do', resources: `/XObject << /X ${firstExtraObject} 0 R >>` }
  return makeRawPdf([endless, { lines: ['第二页'] }], { objects: forms })
}

export function makeRawPdf(pages: RawPage[], extras: RawExtras = {}): Uint8Array {
  const objects = new Map<number, string>()
  const extraObjects = extras.objects ?? []
  for (const [n, object] of extraObjects.entries()) objects.set(firstExtraObject + n, objectSource(object))
  const firstPage = Math.max(firstExtraObject + extraObjects.length, fixedObjectCount + 1)
  for (const [n, page] of pages.entries()) {
    const number = firstPage + n * 2
    const resources = `/Resources << /Font << /F 3 0 R >> ${page.resources ?? ''} >>`
    const box = `/MediaBox [${page.box ?? '0 0 595 842'}]`
    const entries = `${box} ${resources} /Contents ${number + 1} 0 R ${page.entries ?? ''}`
    objects.set(number, `<< /Type /Page /Parent 2 0 R ${entries} >>`)
    objects.set(number + 1, objectSource(['', `${textOperators(page.lines ?? [])}\n${page.content ?? ''}`]))
  }
  const kids = pages.map((_, n) => `${firstPage + n * 2} 0 R`).join(' ')
  objects.set(1, `<< /Type /Catalog /Pages 2 0 R ${extras.catalog ?? ''} >>`)
  objects.set(2, `<< /Type /Pages /Kids [${kids}] /Count ${extras.count ?? pages.length} >>`)
  objects.set(3, chineseFont)
  objects.set(4, `<< ${extras.info ?? ''} >>`)
  return Buffer.from(writeFile(objects), 'latin1')
}

/** A PDF text string in UTF-16. */
export function pdfText(text: string): string {
  return `<FEFF${toUtf16Hex(text)}>`
}

/** Not embedded: every reader has a substitute. */
const chineseFont =
  '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light-UniGB-UTF16-H /Encoding /UniGB-UTF16-H /DescendantFonts [' +
  '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /DW 1000 /W [1 [500]] /CIDSystemInfo ' +
  '<< /Registry (Adobe) /Ordering (GB1) /Supplement 4 >> /FontDescriptor << /Type /FontDescriptor ' +
  '/FontName /STSong-Light /Flags 6 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 880 /Descent -120 ' +
  '/CapHeight 880 /StemV 80 >> >>] >>'

function textOperators(lines: string[]): string {
  if (lines.length === 0) return ''
  return `BT /F 12 Tf 18 TL 60 780 Td ${lines.map((line) => `<${toUtf16Hex(line)}> Tj T*`).join('\n')} ET`
}

function toUtf16Hex(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()
}

function objectSource(object: string | readonly [string, string]): string {
  if (typeof object === 'string') return object
  const [dictionary, stream] = object
  return `<< ${dictionary} /Length ${stream.length} >>\nstream\n${stream}\nendstream`
}

function writeFile(objects: Map<number, string>): string {
  const parts = ['%PDF-1.7\n']
  const offsets = new Map<number, number>()
  let length = parts[0]?.length ?? 0
  const add = (part: string) => {
    parts.push(part)
    length += part.length
  }
  for (const [number, text] of objects) {
    offsets.set(number, length)
    add(`${number} 0 obj\n${text}\nendobj\n`)
  }
  const size = Math.max(...objects.keys()) + 1
  const start = length
  const entry = (number: number) => {
    const offset = offsets.get(number)
    return offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`
  }
  add(`xref\n0 ${size}\n${Array.from({ length: size }, (_, number) => entry(number)).join('')}`)
  add(`trailer\n<< /Size ${size} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${start}\n%%EOF\n`)
  return parts.join('')
}
