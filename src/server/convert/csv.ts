import { zipSync } from 'fflate'
import { Unconvertible } from './converter.ts'
import { escapeXml } from './epub.ts'

const widest = 60
/** Characters that fit side by side on a page turned on its side and are still readable. */
const pageWidth = 260

/**
 * Text in columns as a workbook. Read as text by the office program it would get another font, a heading of its own, and
 * columns that are spread over pages; numbers would be written in another way than the file has them.
 */
export function csvToXlsx(text: string, separator: string): Uint8Array {
  const rows = readCsv(text, separator)
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0)
  if (columns === 0) throw new Unconvertible('empty', 'csv')
  if (columns > 1000 || rows.length > 500_000) throw new Unconvertible('tooLarge', `csv: ${rows.length} x ${columns}`)
  const widths = widthsOf(rows, columns)
  const total = widths.reduce((sum, width) => sum + width, 0)
  return zipSync({
    '[Content_Types].xml': [Buffer.from(contentTypes), { level: 0 }],
    '_rels/.rels': [Buffer.from(relations('officeDocument', 'xl/workbook.xml')), { level: 0 }],
    'xl/workbook.xml': [Buffer.from(workbook), { level: 0 }],
    'xl/_rels/workbook.xml.rels': [
      Buffer.from(relations('worksheet', 'sheet.xml', 'styles', 'styles.xml')),
      { level: 0 },
    ],
    'xl/styles.xml': [Buffer.from(styles), { level: 0 }],
    'xl/sheet.xml': [Buffer.from(sheetOf(rows, widths, total)), { level: 0 }],
  })
}

/** What parts the columns of the first line. */
export function separatorOf(text: string): string {
  const line = /^.*/.exec(text)?.[0] ?? ''
  const counts = [',', ';', '\t', '|'].map((mark) => ({ mark, count: line.split(mark).length }))
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).mark
}

/** Quoted values may hold separators, line ends and doubled quotes. Lines without anything are left out at the end. */
export function readCsv(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at <= text.length;) {
    let value = ''
    if (text[at] === '"') {
      const end = endOfQuoted(text, at + 1)
      value = text.slice(at + 1, end).replaceAll('""', '"')
      at = end + 1
    }
    const rest = restOf(text, at, separator)
    row.push(value + text.slice(at, rest))
    at = rest + 1
    if (text[rest] === separator) continue
    if (text[rest] === '\r' && text[at] === '\n') at += 1
    rows.push(row)
    row = []
  }
  while (rows.at(-1)?.every((value) => value === '')) rows.pop()
  return rows
}

function endOfQuoted(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at
  return text.length
}

function restOf(text: string, from: number, separator: string): number {
  let at = from
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at += 1
  return at
}

/** In characters, a hanzi being two, by the first rows. */
function widthsOf(rows: string[][], columns: number): number[] {
  const widths = Array.from({ length: columns }, () => 6)
  for (const row of rows.slice(0, 2000)) {
    for (const [column, value] of row.entries()) {
      const width = value.slice(0, widest).replace(/[\u1100-\uffff]/g, '汉字').length + 2
      widths[column] = Math.min(widest, Math.max(widths[column] ?? 0, width))
    }
  }
  return widths
}

function sheetOf(rows: string[][], widths: number[], total: number): string {
  const columns = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  )
  const lines = rows.map((row) => `<row>${row.map(cellOf).join('')}</row>`)
  const orientation = total > 90 ? 'landscape' : 'portrait'
  return `<worksheet xmlns="${main}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><cols>${columns.join('')}</cols><sheetData>${lines.join('')}</sheetData><printOptions gridLines="1"/><pageMargins left="0.5" right="0.5" top="0.5" bottom="0.5" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="${orientation}" fitToWidth="${Math.ceil(total / pageWidth)}" fitToHeight="0"/></worksheet>`
}

/** Always text, as it stands in the file; what is a number stands on the right. */
function cellOf(value: string): string {
  if (value === '') return '<c s="1"/>'
  const style = /^[-+]?[\d,]*\.?\d+%?$/.test(value) ? 2 : 1
  return `<c s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(value)}</t></is></c>`
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const contentTypes = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`
const workbook = `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="表格" sheetId="1" r:id="rId1"/></sheets></workbook>`
const styles = `<styleSheet xmlns="${main}"><fonts count="1"><font><sz val="11"/><name val="等线"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf><xf applyAlignment="1"><alignment horizontal="right" vertical="top" wrapText="1"/></xf></cellXfs></styleSheet>`

function relations(...pairs: string[]): string {
  const lines = pairs.flatMap((type, index) =>
    index % 2 === 0
      ? [`<Relationship Id="rId${index / 2 + 1}" Type="${office}/${type}" Target="${pairs[index + 1]}"/>`]
      : [],
  )
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${lines.join('')}</Relationships>`
}
