import { escapeXml } from '#server/convert/xml.ts'
import type { TableRows } from './chapters.ts'
import { contentTypes, relationshipsNamespace, relationshipsXml, officeContentType } from './ooxml.ts'
import { pack } from './pack.ts'
import { prices } from './prose.ts'

const sheetNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/** One sheet with a header row; numbers are number cells. */
export function makeXlsx({ name = '价目', rows = prices }: Partial<SampleSheet> = {}): Uint8Array {
  return makeWorkbook([{ name, rows }])
}

interface SampleSheet {
  name: string
  rows: TableRows
}

/** The same with any number of sheets. */
export function makeWorkbook(sheets: readonly SampleSheet[]): Uint8Array {
  const paths = sheets.map((_, index) => `worksheets/sheet${index + 1}.xml`)
  const names = sheets.map(
    ({ name }, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  )
  return pack({
    '[Content_Types].xml': contentTypes({
      '/xl/workbook.xml': `${officeContentType}.spreadsheetml.sheet.main+xml`,
      ...Object.fromEntries(paths.map((path) => [`/xl/${path}`, `${officeContentType}.spreadsheetml.worksheet+xml`])),
      '/xl/styles.xml': `${officeContentType}.spreadsheetml.styles+xml`,
    }),
    '_rels/.rels': relationshipsXml([['officeDocument', 'xl/workbook.xml']]),
    'xl/_rels/workbook.xml.rels': relationshipsXml([
      ...paths.map((path) => ['worksheet', path] as [string, string]),
      ['styles', 'styles.xml'],
    ]),
    'xl/workbook.xml': `<workbook xmlns="${sheetNamespace}" xmlns:r="${relationshipsNamespace}"><sheets>${names.join('')}</sheets></workbook>`,
    ...Object.fromEntries(sheets.map(({ rows }, index) => [`xl/${paths[index]}`, sheetXml(rows)])),
    'xl/styles.xml': styles,
  })
}

function sheetXml(rows: TableRows): string {
  const cells = rows.map((row, index) => {
    const values = row.map((value, column) => {
      const at = `${columnName(column)}${index + 1}`
      if (isNumber(value)) return `<c r="${at}" s="${index === 0 ? 1 : 2}"><v>${value}</v></c>`
      return `<c r="${at}" s="${index === 0 ? 1 : 3}" t="inlineStr"><is><t>${escapeXml(value)}</t></is></c>`
    })
    return `<row r="${index + 1}">${values.join('')}</row>`
  })
  const columns = columnWidths(rows).map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  )
  return `<worksheet xmlns="${sheetNamespace}"><dimension ref="A1:${columnName((rows[0]?.length ?? 1) - 1)}${rows.length}"/><sheetFormatPr defaultRowHeight="20" customHeight="1"/><cols>${columns.join('')}</cols><sheetData>${cells.join('')}</sheetData><pageSetup paperSize="9" orientation="landscape"/></worksheet>`
}

export function makeCsv(rows: TableRows = prices, separator = ','): string {
  const quoted = (value: string) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
  return rows.map((row) => row.map(quoted).join(separator)).join('\r\n')
}

export function isNumber(value: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(value)
}

/** In Latin characters; a Chinese one counts as two. */
export function columnWidths(rows: TableRows): number[] {
  return (rows[0] ?? []).map((_, column) => {
    const lengths = rows.map((row) =>
      Array.from(row[column] ?? '').reduce((sum, char) => sum + (char > '\xff' ? 2 : 1), 0),
    )
    return Math.min(48, lengths.reduce((max, length) => Math.max(max, length), 6) + 4)
  })
}

function columnName(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : columnName(Math.floor(index / 26) - 1) + columnName(index % 26)
}

const line = ['left', 'right', 'top', 'bottom'].map((side) => `<${side} style="thin"><color rgb="FFB8C2CC"/></${side}>`)
const font = (inner: string) => `<font>${inner}<sz val="11"/><name val="宋体"/></font>`
const format = (font: number, fill: number, place: string) =>
  `<xf numFmtId="0" fontId="${font}" fillId="${fill}" borderId="1" xfId="0" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"><alignment ${place} vertical="center" wrapText="1"/></xf>`
const [centred, indented] = ['horizontal="center"', 'horizontal="left" indent="1"']
/** Cell formats: 0 default, 1 header, 2 number, 3 text. */
const styles = `<styleSheet xmlns="${sheetNamespace}"><fonts count="2">${font('')}${font('<b/>')}</fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFE2ECF7"/></patternFill></fill></fills><borders count="2"><border/><border>${line.join('')}</border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>${format(1, 2, centred)}${format(0, 0, centred)}${format(0, 0, indented)}</cellXfs></styleSheet>`
