import { escapeXml } from '#server/convert/xml.ts'
import type { TableRows, Slide, Manuscript } from './chapters.ts'
import { pack } from './pack.ts'
import { paragraphs, prices } from './prose.ts'
import { columnWidths, isNumber } from './sheets.ts'

/** Chapters, or paragraphs and a table under one title. `body` is raw XML that follows them. */
export function makeOdt(options: Manuscript & { paragraphs?: readonly string[]; body?: string } = {}): Uint8Array {
  const { title = '读书笔记', author = '', paragraphs: texts = paragraphs(4) } = options
  const plain = (line: string) => `<text:p text:style-name="Text">${escapeXml(line)}</text:p>`
  const heading = (line: string) =>
    `<text:h text:style-name="Heading" text:outline-level="1">${escapeXml(line)}</text:h>`
  const top = (style: string, line: string) => `<text:p text:style-name="${style}">${escapeXml(line)}</text:p>`
  const body = options.chapters
    ? top('Title', title) +
      (author && top('Author', author)) +
      options.chapters
        .map((chapter) => heading(chapter.title) + chapter.paragraphs.map(plain).join('') + tableXml(chapter.table))
        .join('')
    : heading(title) + texts.map(plain).join('') + tableXml(prices)
  return openDocument('text', body + (options.body ?? ''))
}

export function makeOds(rows: TableRows = prices): Uint8Array {
  return openDocument('spreadsheet', tableXml(rows))
}

/** Slides with a title in a coloured band and lines below it. */
export function makeOdp(title = '课程介绍', slides?: readonly Slide[]): Uint8Array {
  const contents = slides ?? paragraphs(2).map((line) => ({ title, lines: [line] }))
  const box = (place: string, inside: string) =>
    `<draw:frame draw:style-name="Box" ${place}><draw:text-box>${inside}</draw:text-box></draw:frame>`
  const pages = contents.map(({ title: heading, lines }, index) => {
    const bullet = slides && index === 0 ? '' : '•　'
    const points = lines.map((line) => `<text:p text:style-name="Point">${bullet}${escapeXml(line)}</text:p>`)
    const band =
      '<draw:rect draw:style-name="Band" svg:x="0cm" svg:y="0cm" svg:width="28cm" svg:height="3.6cm"><text:p/></draw:rect>'
    const head = `<text:p text:style-name="Head">${escapeXml(heading)}</text:p>`
    return `<draw:page draw:name="page${index + 1}" draw:master-page-name="Default">${band}${box('svg:x="1.6cm" svg:y="0.9cm" svg:width="24.8cm" svg:height="2cm"', head)}${box('svg:x="1.6cm" svg:y="4.8cm" svg:width="24.8cm" svg:height="10cm"', points.join(''))}</draw:page>`
  })
  return openDocument('presentation', pages.join(''))
}

function tableXml(rows: TableRows = []): string {
  if (rows.length === 0) return ''
  const cell = (value: string, style: string) => {
    const type = isNumber(value) ? `office:value-type="float" office:value="${value}"` : 'office:value-type="string"'
    return `<table:table-cell table:style-name="${style}" ${type}><text:p>${escapeXml(value)}</text:p></table:table-cell>`
  }
  const lines = rows.map((row, index) => {
    const cells = row.map((value) => cell(value, index === 0 ? 'HeadCell' : 'Cell'))
    return `<table:table-row>${cells.join('')}</table:table-row>`
  })
  const columns = columnWidths(rows).map(
    (width) => `<table:table-column table:style-name="Column${Math.ceil(width / 8)}"/>`,
  )
  return `<table:table table:name="价目">${columns.join('')}${lines.join('')}</table:table>`
}

const blue = '#1d4e89'
const asianFont = 'style:font-name-asian="SimSun"'
const bold = 'fo:font-weight="bold" style:font-weight-asian="bold"'

function fontSize(points: number): string {
  return `fo:font-size="${points}pt" style:font-size-asian="${points}pt"`
}

function paragraphStyle(name: string, layout: string, letters: string): string {
  return `<style:style style:name="${name}" style:family="paragraph"><style:paragraph-properties ${layout}/><style:text-properties ${letters}/></style:style>`
}

const cellBorder = 'fo:border="0.5pt solid #b8c2cc" fo:padding="0.1cm"'
const contentStyles = [
  paragraphStyle(
    'Title',
    'fo:text-align="center" fo:margin-top="0.6cm" fo:margin-bottom="0.2cm"',
    `${fontSize(22)} ${bold}`,
  ),
  paragraphStyle('Author', 'fo:text-align="center" fo:margin-bottom="0.6cm"', `${fontSize(12)} fo:color="#666666"`),
  paragraphStyle(
    'Heading',
    'fo:margin-top="0.6cm" fo:margin-bottom="0.3cm" fo:keep-with-next="always"',
    `${fontSize(16)} ${bold} fo:color="${blue}"`,
  ),
  paragraphStyle('Text', 'fo:text-indent="0.85cm" fo:line-height="150%"', `${fontSize(12)} ${asianFont}`),
  paragraphStyle('Head', 'fo:text-align="start"', `${fontSize(30)} ${bold} fo:color="#ffffff"`),
  paragraphStyle('Point', 'fo:margin-bottom="0.7cm"', fontSize(28)),
  `<style:style style:name="Band" style:family="graphic"><style:graphic-properties draw:stroke="none" draw:fill="solid" draw:fill-color="${blue}"/></style:style>`,
  '<style:style style:name="Box" style:family="graphic"><style:graphic-properties draw:stroke="none" draw:fill="none"/></style:style>',
  `<style:style style:name="Cell" style:family="table-cell"><style:table-cell-properties ${cellBorder}/></style:style>`,
  `<style:style style:name="HeadCell" style:family="table-cell"><style:table-cell-properties ${cellBorder} fo:background-color="#e2ecf7"/><style:text-properties ${bold}/></style:style>`,
  ...[1, 2, 3, 4, 5, 6, 7].map(
    (eighths) =>
      `<style:style style:name="Column${eighths}" style:family="table-column"><style:table-column-properties style:column-width="${(eighths * 1.6).toFixed(1)}cm"/></style:style>`,
  ),
].join('')

const pageLayouts = {
  text: 'fo:page-width="21cm" fo:page-height="29.7cm" fo:margin="2.2cm"',
  spreadsheet: 'fo:page-width="29.7cm" fo:page-height="21cm" style:print-orientation="landscape" fo:margin="1.5cm"',
  presentation: 'fo:page-width="28cm" fo:page-height="15.75cm" fo:margin="0cm"',
}

function openDocument(kind: keyof typeof pageLayouts, body: string): Uint8Array {
  const mimetype = `application/vnd.oasis.opendocument.${kind}`
  const oasis = 'urn:oasis:names:tc:opendocument:xmlns'
  const spaces = ['office', 'text', 'table', 'style', 'manifest'].map((name) => `xmlns:${name}="${oasis}:${name}:1.0"`)
  const drawn = `xmlns:draw="${oasis}:drawing:1.0" xmlns:svg="${oasis}:svg-compatible:1.0" xmlns:fo="${oasis}:xsl-fo-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"`
  const all = `${spaces.join(' ')} ${drawn} office:version="1.2"`
  return pack({
    mimetype,
    'content.xml': `<office:document-content ${all}><office:automatic-styles>${contentStyles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    'styles.xml': `<office:document-styles ${all}><office:styles/><office:automatic-styles><style:page-layout style:name="page"><style:page-layout-properties ${pageLayouts[kind]}/></style:page-layout></office:automatic-styles><office:master-styles><style:master-page style:name="Default" style:page-layout-name="page"/></office:master-styles></office:document-styles>`,
    'META-INF/manifest.xml': `<manifest:manifest xmlns:manifest="${oasis}:manifest:1.0" manifest:version="1.2"><manifest:file-entry manifest:full-path="/" manifest:media-type="${mimetype}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/><manifest:file-entry manifest:full-path="styles.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
  })
}
