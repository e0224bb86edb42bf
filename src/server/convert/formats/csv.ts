import { Unconvertible } from '../converter.ts'
import { escapeXml } from './epub.ts'
import { writeZip } from '../archives/zip-write.ts'

const mostRows = 200_000
const mostColumns = 1000
const mostCells = 4e6
const pieceLength = 65_536
const widest = 60
const narrowest = 6
/** Widths are those of the first rows. */
const sampleRows = 2000
/** Characters that fit side by side on a page turned on its side and are still readable. */
const pageWidth = 260

/**
 * Text in columns as a workbook, written a row at a time. Read as text by the office program it would get another font, a
 * heading of its own, and columns that are spread over pages; numbers would be written in another way than the file has
 * them.
 */
export async function csvToXlsx(path: string, text: string, separator: string): Promise<void> {
  await writeZip(path, async (add) => {
    await add('[Content_Types].xml', contentTypes)
    await add('_rels/.rels', relations('officeDocument', 'xl/workbook.xml'))
    await add('xl/workbook.xml', workbook)
    await add('xl/_rels/workbook.xml.rels', relations('worksheet', 'sheet.xml', 'styles', 'styles.xml'))
    await add('xl/styles.xml', styles)
    await add('xl/sheet.xml', sheetOf(rowsOf(text, separator)))
  })
}

/** What parts the columns of the first line. */
export function separatorOf(text: string): string {
  const line = /^.*/.exec(text)?.[0] ?? ''
  const counts = [',', ';', '\t', '|'].map((mark) => ({ mark, count: line.split(mark).length }))
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).mark
}

/** Quoted values may hold separators, line ends and doubled quotes. Lines without anything are left out at the end. */
export function* rowsOf(text: string, separator: string): Generator<string[]> {
  let row: string[] = []
  let blank = 0
  for (let at = 0; at <= text.length;) {
    let value = ''
    if (text[at] === '"') {
      const end = endOfQuoted(text, at + 1)
      value = text.slice(at + 1, end).replaceAll('""', '"')
      at = end + 1
    }
    const rest = restOf(text, at, separator)
    row.push(value + text.slice(at, rest))
    if (row.length > mostColumns) throw new Unconvertible('tooLarge', `csv: more than ${mostColumns} columns`)
    at = rest + 1
    if (text[rest] === separator) continue
    if (text[rest] === '\r' && text[at] === '\n') at += 1
    if (row.every((value) => value === '')) blank += 1
    else {
      for (; blank > 0; blank -= 1) yield ['']
      yield row
    }
    row = []
  }
}

function endOfQuoted(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at
  return text.length
}

function restOf(text: string, from: number, separator: string): number {
  const stop = separator.charCodeAt(0)
  let at = from
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === stop || code === 10 || code === 13) break
  }
  return at
}

/** The head needs the widths of the columns, so the first rows are read before anything is written. */
function* sheetOf(rows: Iterator<string[]>): Generator<string> {
  const first: string[][] = []
  const next = () => {
    const { done, value } = rows.next()
    return done ? undefined : value
  }
  for (let row = next(); row; row = first.length < sampleRows ? next() : undefined) first.push(row)
  if (first.length === 0) throw new Unconvertible('empty', 'csv')
  const widths = widthsOf(first)
  const columns = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  )
  yield `<worksheet xmlns="${main}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><cols>${columns.join('')}</cols><sheetData>`

  let [count, cells, most, ready] = [0, 0, widths.length, '']
  for (let row = first[0]; row; row = count < first.length ? first[count] : next()) {
    count += 1
    cells += row.length
    most = Math.max(most, row.length)
    if (count > mostRows || cells > mostCells) throw new Unconvertible('tooLarge', `csv: ${count} rows, ${cells} cells`)
    ready += `<row>${row.map(cellOf).join('')}</row>`
    if (ready.length < pieceLength) continue
    yield ready
    ready = ''
  }
  yield ready
  const total = widths.reduce((sum, width) => sum + width, 0) + (most - widths.length) * narrowest
  const orientation = total > 90 ? 'landscape' : 'portrait'
  yield `</sheetData><printOptions gridLines="1"/><pageMargins left="0.5" right="0.5" top="0.5" bottom="0.5" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="${orientation}" fitToWidth="${Math.ceil(total / pageWidth)}" fitToHeight="0"/></worksheet>`
}

/** In characters, a hanzi being two. */
function widthsOf(rows: string[][]): number[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, value] of row.entries()) {
      const width = value.slice(0, widest).replace(/[\u1100-\uffff]/g, '汉字').length + 2
      widths[column] = Math.min(widest, Math.max(widths[column] ?? narrowest, width))
    }
  }
  return widths
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
