import { pack } from './pack.ts'
import { escapeXml, paragraphs, prices } from './prose.ts'
import { isNumber } from './sheets.ts'

interface Written {
  title?: string
  paragraphs?: string[]
}

/** `body` is raw content after the paragraphs. */
export function makeOdt(given: Written & { body?: string } = {}): Uint8Array {
  const { title = '读书笔记', paragraphs: texts = paragraphs(4) } = given
  const lines = texts.map((line) => `<text:p>${escapeXml(line)}</text:p>`).join('')
  return openDocument(
    'text',
    `<text:h text:outline-level="1">${escapeXml(title)}</text:h>${lines}${odfTable(prices)}${given.body ?? ''}`,
  )
}

export function makeOds(rows: string[][] = prices): Uint8Array {
  return openDocument('spreadsheet', odfTable(rows))
}

export function makeOdp(title = '课程介绍'): Uint8Array {
  const pages = paragraphs(2).map(
    (line, index) =>
      `<draw:page draw:name="page${index + 1}" draw:master-page-name="Default"><draw:frame svg:x="2cm" svg:y="2cm" svg:width="20cm" svg:height="8cm"><draw:text-box><text:p>${escapeXml(title)}</text:p><text:p>${escapeXml(line)}</text:p></draw:text-box></draw:frame></draw:page>`,
  )
  return openDocument('presentation', pages.join(''))
}

function odfTable(rows: string[][]): string {
  const cell = (value: string) =>
    isNumber(value)
      ? `<table:table-cell office:value-type="float" office:value="${value}"><text:p>${value}</text:p></table:table-cell>`
      : `<table:table-cell office:value-type="string"><text:p>${escapeXml(value)}</text:p></table:table-cell>`
  const lines = rows.map((row) => `<table:table-row>${row.map(cell).join('')}</table:table-row>`)
  return `<table:table table:name="价目"><table:table-column table:number-columns-repeated="${rows[0]?.length ?? 1}"/>${lines.join('')}</table:table>`
}

function openDocument(kind: 'text' | 'spreadsheet' | 'presentation', body: string): Uint8Array {
  const mimetype = `application/vnd.oasis.opendocument.${kind}`
  const oasis = 'urn:oasis:names:tc:opendocument:xmlns'
  const spaces = ['office', 'text', 'table', 'style', 'manifest'].map((name) => `xmlns:${name}="${oasis}:${name}:1.0"`)
  const drawn = `xmlns:draw="${oasis}:drawing:1.0" xmlns:svg="${oasis}:svg-compatible:1.0" xmlns:fo="${oasis}:xsl-fo-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"`
  const all = `${spaces.join(' ')} ${drawn} office:version="1.2"`
  return pack({
    mimetype,
    'content.xml': `<office:document-content ${all}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    'styles.xml': `<office:document-styles ${all}><office:styles/><office:automatic-styles><style:page-layout style:name="page"><style:page-layout-properties fo:page-width="${kind === 'presentation' ? 28 : 21}cm" fo:page-height="${kind === 'presentation' ? 21 : 29.7}cm"/></style:page-layout></office:automatic-styles><office:master-styles><style:master-page style:name="Default" style:page-layout-name="page"/></office:master-styles></office:document-styles>`,
    'META-INF/manifest.xml': `<manifest:manifest xmlns:manifest="${oasis}:manifest:1.0" manifest:version="1.2"><manifest:file-entry manifest:full-path="/" manifest:media-type="${mimetype}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/><manifest:file-entry manifest:full-path="styles.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
  })
}
