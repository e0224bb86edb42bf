import { escapeXml } from '#server/convert/xml.ts'
import type { Chapter, TableRows, Manuscript } from './chapters.ts'
import { contentTypes, drawingNamespace, relationshipsNamespace, relationshipsXml, officeContentType } from './ooxml.ts'
import { pack } from './pack.ts'
import { paragraphs, prices } from './prose.ts'

const wordNamespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'

interface DocxOptions extends Manuscript {
  paragraphs?: readonly string[]
  pages?: number
  table?: TableRows
  /** Raw XML that follows the text. */
  body?: string
  /** Raw XML of further relationships. */
  links?: string
}

/** Chapters under a title, or the same paragraphs and a table on each of so many pages. Pages are numbered. */
export function makeDocx(options: DocxOptions = {}): Uint8Array {
  const body = options.chapters ? chapterBody(options.chapters, options) : plainBody(options)
  return pack({
    '[Content_Types].xml': contentTypes({
      '/word/document.xml': `${officeContentType}.wordprocessingml.document.main+xml`,
      '/word/styles.xml': `${officeContentType}.wordprocessingml.styles+xml`,
      '/word/footer1.xml': `${officeContentType}.wordprocessingml.footer+xml`,
    }),
    '_rels/.rels': relationshipsXml([['officeDocument', 'word/document.xml']]),
    'word/_rels/document.xml.rels': relationshipsXml(
      [
        ['styles', 'styles.xml'],
        ['footer', 'footer1.xml'],
      ],
      options.links,
    ),
    'word/styles.xml': `<w:styles xmlns:w="${wordNamespace}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman" w:eastAsia="宋体"/><w:sz w:val="24"/><w:lang w:val="en-US" w:eastAsia="zh-CN"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:line="360" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:pPr><w:ind w:firstLine="480" w:firstLineChars="200"/></w:pPr></w:style>${styles.map(paragraphStyle).join('')}</w:styles>`,
    'word/footer1.xml': `<w:ftr xmlns:w="${wordNamespace}"><w:p><w:pPr><w:pStyle w:val="Footer"/></w:pPr><w:r><w:t xml:space="preserve">— </w:t></w:r><w:fldSimple w:instr=" PAGE "><w:r><w:t>1</w:t></w:r></w:fldSimple><w:r><w:t xml:space="preserve"> —</w:t></w:r></w:p></w:ftr>`,
    'word/document.xml': `<w:document xmlns:w="${wordNamespace}" xmlns:r="${relationshipsNamespace}" xmlns:a="${drawingNamespace}" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body>${body}${options.body ?? ''}<w:sectPr><w:footerReference w:type="default" r:id="rId2"/><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720" w:gutter="0"/></w:sectPr></w:body></w:document>`,
  })
}

interface ParagraphStyle {
  id: string
  name: string
  font?: string
  size: number
  color?: string
  /** Raw XML of the paragraph's properties. */
  set: string
}

const centred = '<w:ind w:firstLine="0" w:firstLineChars="0"/><w:jc w:val="center"/>'
const styles: ParagraphStyle[] = [
  {
    id: 'Heading1',
    name: 'heading 1',
    font: '黑体',
    size: 32,
    color: '1D4E89',
    set: '<w:keepNext/><w:spacing w:before="360" w:after="160"/><w:ind w:firstLine="0" w:firstLineChars="0"/><w:outlineLvl w:val="0"/>',
  },
  {
    id: 'Title',
    name: 'Title',
    font: '黑体',
    size: 48,
    set: `<w:spacing w:before="480" w:after="120"/>${centred}`,
  },
  {
    id: 'Subtitle',
    name: 'Subtitle',
    size: 24,
    color: '666666',
    set: `<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="12" w:color="BBBBBB"/></w:pBdr><w:spacing w:after="360"/>${centred}`,
  },
  { id: 'Footer', name: 'footer', size: 18, color: '888888', set: centred },
]

function paragraphStyle({ id, name, font, size, color, set }: ParagraphStyle): string {
  const fonts = font ? `<w:rFonts w:eastAsia="${font}"/><w:b/>` : ''
  const textColor = color ? `<w:color w:val="${color}"/>` : ''
  return `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="Normal"/><w:pPr>${set}</w:pPr><w:rPr>${fonts}${textColor}<w:sz w:val="${size}"/></w:rPr></w:style>`
}

function chapterBody(chapters: readonly Chapter[], { title = '', author = '' }: Manuscript): string {
  const parts = chapters.map(
    (chapter) =>
      styledParagraph('Heading1', chapter.title) +
      chapter.paragraphs.map(plainParagraph).join('') +
      wordTable(chapter.table ?? []),
  )
  return styledParagraph('Title', title) + (author && styledParagraph('Subtitle', author)) + parts.join('')
}

function plainBody({ title = '文库使用说明', pages = 1, table = prices, ...options }: DocxOptions): string {
  const texts = options.paragraphs ?? paragraphs(4)
  const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
  return Array.from(
    { length: pages },
    (_, page) =>
      styledParagraph('Heading1', page ? `${title} ${page + 1}` : title) +
      texts.map(plainParagraph).join('') +
      wordTable(table),
  ).join(pageBreak)
}

function styledParagraph(style: string, text: string): string {
  return `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>${escapeXml(text)}</w:t></w:r></w:p>`
}

function plainParagraph(text: string): string {
  return `<w:p><w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r></w:p>`
}

function wordTable(rows: TableRows): string {
  if (rows.length === 0) return ''
  const width = Math.floor(9026 / Math.max(1, rows[0]?.length ?? 1))
  const borders = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map(
    (side) => `<w:${side} w:val="single" w:sz="4" w:color="999999"/>`,
  )
  const cell = (text: string, isHead: boolean) =>
    `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/>${isHead ? '<w:shd w:val="clear" w:color="auto" w:fill="E8EEF6"/>' : ''}</w:tcPr><w:p><w:pPr><w:spacing w:line="300" w:lineRule="auto"/><w:ind w:firstLine="0" w:firstLineChars="0"/></w:pPr><w:r><w:rPr>${isHead ? '<w:b/>' : ''}<w:sz w:val="21"/></w:rPr><w:t>${escapeXml(text)}</w:t></w:r></w:p></w:tc>`
  const lines = rows.map((row, index) => `<w:tr>${row.map((text) => cell(text, index === 0)).join('')}</w:tr>`)
  const grid = (rows[0] ?? []).map(() => `<w:gridCol w:w="${width}"/>`).join('')
  return `<w:tbl><w:tblPr><w:tblW w:w="${width * (rows[0]?.length ?? 1)}" w:type="dxa"/><w:tblBorders>${borders.join('')}</w:tblBorders></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${lines.join('')}</w:tbl><w:p/>`
}
