import { Unconvertible } from '../converter.ts'
import { escapeXml } from '../xml.ts'
import { writeZip } from '../archives/zip-write.ts'
import { writeTable } from '../tables/table-writer.ts'

const maxRows = 200_000
const maxColumns = 1000
const maxCells = 4e6
const chunkLength = 65_536
const maxColumnWidth = 60
const minColumnWidth = 6
/** Rows that column widths are measured from. */
const sampleRows = 2000
/** In characters: what is still readable on a landscape page. */
const maxPageWidth = 260
/** In points: a line of Chinese at 11 points needs more than the default height of a row. */
const rowHeight = 16
const wrappedLineHeight = 15
/** A taller row does not fit a landscape page; its text is cut there, and whole in the table view. */
const maxRowHeight = 400
const maxMeasuredLength = 5000
const wrapAllowance = 1.05

/**
 * Writes CSV as a workbook, row by row. LibreOffice's own CSV import would choose another font, add a header, spread
 * columns over several pages and reformat numbers.
 */
export async function csvToXlsx(path: string, text: string, separator: string): Promise<void> {
  await writeZip(path, async (add) => {
    await add('[Content_Types].xml', contentTypes)
    await add('_rels/.rels', relations('officeDocument', 'xl/workbook.xml'))
    await add('xl/workbook.xml', workbook)
    await add('xl/_rels/workbook.xml.rels', relations('worksheet', 'sheet.xml', 'styles', 'styles.xml'))
    await add('xl/styles.xml', styles)
    await add('xl/sheet.xml', sheetXml(parseRows(text, separator)))
  })
}

const pixelsPerCharacter = 8
const cellPadding = 10

/** The same rows for the table view. A table has one sheet, of the name that the pages give it. */
export async function writeCsvTable(path: string, text: string, separator: string): Promise<void> {
  await writeTable(path, async (writer) => {
    const columns = columnWidths([...take(parseRows(text, separator), sampleRows)]).map((width, number) => ({
      number,
      width: width * pixelsPerCharacter + cellPadding,
    }))
    writer.startSheet({ name: sheetName, columns })
    for (const row of parseRows(text, separator)) {
      await writer.addRow(row)
      if (writer.isFull()) break
    }
    await writer.endSheet()
  })
}

function* take<T>(items: Iterable<T>, count: number): Generator<T> {
  let left = count
  for (const item of items) {
    if (left <= 0) return
    left -= 1
    yield item
  }
}

/** The separator that occurs most often in the first line. */
export function detectSeparator(text: string): string {
  const line = /^.*/.exec(text)?.[0] ?? ''
  const counts = [',', ';', '\t', '|'].map((separator) => ({ separator, count: line.split(separator).length }))
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).separator
}

/** Quoted values may contain separators, line ends and doubled quotes. Blank lines at the end are left out. */
export function* parseRows(text: string, separator: string): Generator<string[]> {
  let row: string[] = []
  let blankLines = 0
  for (let at = 0; at <= text.length;) {
    let value = ''
    if (text[at] === '"') {
      const end = findClosingQuote(text, at + 1)
      value = text.slice(at + 1, end).replaceAll('""', '"')
      at = end + 1
    }
    const end = findValueEnd(text, at, separator)
    row.push(value + text.slice(at, end))
    if (row.length > maxColumns) throw new Unconvertible('tooLarge', `csv: more than ${maxColumns} columns`)
    at = end + 1
    if (text[end] === separator) continue
    if (text[end] === '\r' && text[at] === '\n') at += 1
    if (row.every((value) => value === '')) blankLines += 1
    else {
      for (; blankLines > 0; blankLines -= 1) yield ['']
      yield row
    }
    row = []
  }
}

function findClosingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at
  return text.length
}

function findValueEnd(text: string, from: number, separator: string): number {
  const separatorCode = separator.charCodeAt(0)
  let at = from
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === separatorCode || code === 10 || code === 13) break
  }
  return at
}

/** Column widths come before the rows: the first rows are parsed before anything is written. */
function* sheetXml(rows: Iterator<string[]>): Generator<string> {
  const samples: string[][] = []
  const next = () => {
    const { done, value } = rows.next()
    return done ? undefined : value
  }
  for (let row = next(); row; row = samples.length < sampleRows ? next() : undefined) samples.push(row)
  if (samples.length === 0) throw new Unconvertible('empty', 'csv')
  const widths = columnWidths(samples)
  const columns = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  )
  yield `<worksheet xmlns="${main}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetFormatPr defaultRowHeight="${rowHeight}" customHeight="1"/><cols>${columns.join('')}</cols><sheetData>`

  let [rowCount, cellCount, columnCount, chunk] = [0, 0, widths.length, '']
  for (let row = samples[0]; row; row = rowCount < samples.length ? samples[rowCount] : next()) {
    rowCount += 1
    cellCount += row.length
    columnCount = Math.max(columnCount, row.length)
    if (rowCount > maxRows || cellCount > maxCells)
      throw new Unconvertible('tooLarge', `csv: ${rowCount} rows, ${cellCount} cells`)
    chunk += `<row${heightXml(row, widths)}>${row.map(cellXml).join('')}</row>`
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  yield chunk
  const total = widths.reduce((sum, width) => sum + width, 0) + (columnCount - widths.length) * minColumnWidth
  const orientation = total > 90 ? 'landscape' : 'portrait'
  yield `</sheetData><printOptions gridLines="1"/><pageMargins left="0.5" right="0.5" top="0.5" bottom="0.5" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="${orientation}" fitToWidth="${Math.ceil(total / maxPageWidth)}" fitToHeight="0"/></worksheet>`
}

function columnWidths(rows: string[][]): number[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, value] of row.entries()) {
      const width = value.split(/\r?\n/).reduce((max, line) => Math.max(max, textWidth(line)), 0) + 2
      widths[column] = Math.min(maxColumnWidth, Math.max(widths[column] ?? minColumnWidth, width))
    }
  }
  return widths
}

/** In characters; a Chinese character counts as two. Nothing needs to know how much wider than a page a text is. */
function textWidth(text: string): number {
  return text.slice(0, maxMeasuredLength).replace(/[\u1100-\uffff]/g, '汉字').length
}

/** LibreOffice does not fit rows of a workbook to their wrapped text: rows state the height that they need. */
function heightXml(row: readonly string[], widths: readonly number[]): string {
  let lines = 1
  for (const [column, value] of row.entries()) {
    const width = widths[column] ?? minColumnWidth
    if (value.length * 2 <= width && !value.includes('\n')) continue
    lines = Math.max(lines, countLines(value, width))
  }
  return lines === 1 ? '' : ` ht="${Math.min(maxRowHeight, 1 + lines * wrappedLineHeight)}" customHeight="1"`
}

/** Words that do not fit the end of a line leave some of it empty; a text that fits the column is not wrapped. */
function countLines(value: string, width: number): number {
  return value.split(/\r?\n/).reduce((sum, line) => {
    const needed = textWidth(line)
    return sum + (needed <= width ? 1 : Math.ceil((needed * wrapAllowance) / width))
  }, 0)
}

/** Always a text cell, so that the value is shown as written; numbers are aligned to the right. */
function cellXml(value: string): string {
  if (value === '') return '<c s="1"/>'
  const style = /^[-+]?[\d,]*\.?\d+%?$/.test(value) ? 2 : 1
  return `<c s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(value)}</t></is></c>`
}

const sheetName = '表格'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const contentTypes = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`
const workbook = `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${sheetName}" sheetId="1" r:id="rId1"/></sheets></workbook>`
const styles = `<styleSheet xmlns="${main}"><fonts count="1"><font><sz val="11"/><name val="等线"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf><xf applyAlignment="1"><alignment horizontal="right" vertical="top" wrapText="1"/></xf></cellXfs></styleSheet>`

function relations(...pairs: string[]): string {
  const lines = pairs.flatMap((type, index) =>
    index % 2 === 0
      ? [`<Relationship Id="rId${index / 2 + 1}" Type="${office}/${type}" Target="${pairs[index + 1]}"/>`]
      : [],
  )
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${lines.join('')}</Relationships>`
}
