import { deflateSync } from 'node:zlib'
import { escapeXml } from '#server/convert/xml.ts'
import type { Chapter } from './chapters.ts'
import { chapterHtml } from './html.ts'
import { pack } from './pack.ts'
import { paragraphs, sampleChapters } from './prose.ts'

/** Small, valid e-books. With a number of chapters, their text is generated. */
interface BookOptions {
  title?: string
  author?: string
  chapters?: number | readonly Chapter[]
}

export function makeEpub({
  title = '山谷',
  author = '',
  chapters = 3,
  wrapper = '',
  extra = {},
}: BookOptions & { wrapper?: string; extra?: Record<string, string | Uint8Array> } = {}): Uint8Array {
  const htmlChapters = toHtmlChapters(chapters)
  const list = (item: (chapter: HtmlChapter, number: number) => string) =>
    htmlChapters.map((chapter, index) => item(chapter, index + 1)).join('')
  const parts: Record<string, string | Uint8Array> = {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'OEBPS/content.opf': `<package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">made</dc:identifier><dc:title>${escapeXml(title)}</dc:title>${author && `<dc:creator>${escapeXml(author)}</dc:creator>`}<dc:language>zh</dc:language></metadata><manifest><item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>${list((_, n) => `<item id="c${n}" href="c${n}.xhtml" media-type="application/xhtml+xml"/>`)}</manifest><spine toc="ncx">${list((_, n) => `<itemref idref="c${n}"/>`)}</spine></package>`,
    'OEBPS/toc.ncx': `<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><navMap>${list(({ name }, n) => `<navPoint id="n${n}" playOrder="${n}"><navLabel><text>${escapeXml(name)}</text></navLabel><content src="c${n}.xhtml"/></navPoint>`)}</navMap></ncx>`,
    ...Object.fromEntries(
      htmlChapters.map(({ name, html }, index) => [
        `OEBPS/c${index + 1}.xhtml`,
        `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>${escapeXml(name)}</title><style>${bookStyle}</style></head><body>${index === 0 ? titleHtml(title, author) : ''}${html}</body></html>`,
      ]),
    ),
    ...extra,
  }
  return pack(Object.fromEntries(Object.entries(parts).map(([name, content]) => [wrapper + name, content])))
}

interface MobiOptions extends BookOptions {
  /** Fields of its header. */
  encryption?: number
  version?: number
  /** Instead of chapters. */
  html?: string
  /** Records of text as PalmDOC compresses them; without it there is no compression. */
  pack?: (record: Uint8Array) => Uint8Array
  /** After the text of each record. */
  trailer?: Uint8Array
  pictures?: readonly Uint8Array[]
}

export function makeMobi({
  title = '山谷',
  author = '',
  chapters = 3,
  encryption = 0,
  version = 6,
  html,
  pack: packRecord,
  trailer,
  pictures = [],
}: MobiOptions = {}): Uint8Array {
  const body = toHtmlChapters(chapters).map((chapter) => chapter.html)
  const bookHtml = `<html><body>${titleHtml(title, author)}${body.join('<mbp:pagebreak/>')}</body></html>`
  const text = Buffer.from(html ?? bookHtml)
  const records = Array.from({ length: Math.ceil(text.length / 4096) }, (_, index) => {
    const record = text.subarray(index * 4096, index * 4096 + 4096)
    return Buffer.concat([packRecord?.(record) ?? record, trailer ?? Buffer.alloc(0)])
  })
  const name = Buffer.from(title)
  const first = Buffer.alloc(16 + 232 + name.length + 2)
  first.writeUInt16BE(packRecord ? 2 : 1, 0)
  first.writeUInt32BE(text.length, 4)
  first.writeUInt16BE(records.length, 8)
  first.writeUInt16BE(4096, 10)
  first.writeUInt16BE(encryption, 12)
  first.write('MOBI', 16, 'latin1')
  first.fill(0xff, 40, 80)
  for (const [at, value] of [
    [20, 232],
    [24, 2],
    [28, 65_001],
    [36, version],
    [80, records.length + 1],
    [84, 248],
    [88, name.length],
    [92, 2052],
    [104, version],
    [108, records.length + 1],
  ] as const)
    first.writeUInt32BE(value, at)
  if (trailer) first.writeUInt16BE(2, 242)
  name.copy(first, 248)

  const all = [first, ...records, ...pictures]
  const header = Buffer.alloc(78 + all.length * 8 + 2)
  header.write('novel', 0, 'latin1')
  header.write('BOOKMOBI', 60, 'latin1')
  header.writeUInt16BE(all.length, 76)
  let at = header.length
  for (const [index, record] of all.entries()) {
    header.writeUInt32BE(at, 78 + index * 8)
    header.writeUInt32BE(index * 2, 82 + index * 8)
    at += record.length
  }
  return Buffer.concat([header, ...all])
}

export function makeUmd({ title = '山谷', author = '无名氏', chapters = 3 }: BookOptions = {}): Uint8Array {
  const utf16 = (text: string) => Buffer.from(text, 'utf16le')
  const contents =
    typeof chapters === 'number'
      ? Array.from({ length: chapters }, (_, index) => ({
          title: `第${index + 1}章`,
          paragraphs: [...paragraphs(6), `第${index + 1}章完`],
        }))
      : chapters
  const texts = contents.map((chapter) => utf16(chapter.paragraphs.map((line) => `${line}\u2029`).join('')))
  const titles = contents.map((chapter) => utf16(chapter.title))
  const starts = texts.map((_, index) => texts.slice(0, index).reduce((sum, text) => sum + text.length, 0))
  const whole = Buffer.concat(texts)
  const pieces = Array.from({ length: Math.ceil(whole.length / 32_768) }, (_, index) =>
    whole.subarray(index * 32_768, (index + 1) * 32_768),
  )
  return Buffer.concat([
    Buffer.from('de9a9b89', 'hex'),
    record(1, Buffer.from([1, 0x34, 0x12])),
    record(2, utf16(title)),
    record(3, utf16(author)),
    record(0x0b, uint32(whole.length)),
    record(0x83, uint32(0x3001)),
    block(0x3001, Buffer.concat(starts.map(uint32))),
    record(0x84, uint32(0x3002)),
    block(0x3002, Buffer.concat(titles.flatMap((name) => [Buffer.from([name.length]), name]))),
    ...pieces.map((piece, index) => block(0x5000 + index, deflateSync(piece))),
    record(0x0c, uint32(0)),
  ])
}

function record(type: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x23, type & 0xff, type >> 8, 0, data.length + 5]), data])
}

function block(id: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x24]), uint32(id), uint32(data.length + 9), data])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

interface HtmlChapter {
  name: string
  html: string
}

function toHtmlChapters(chapters: number | readonly Chapter[]): HtmlChapter[] {
  if (typeof chapters !== 'number')
    return chapters.map((chapter) => ({ name: chapter.title, html: chapterHtml(chapter) }))
  return sampleChapters(chapters).map((chapter, index) => ({ name: `第${index + 1}章`, html: chapterHtml(chapter) }))
}

/** Title and author above the first chapter, if there is an author. */
function titleHtml(title: string, author: string): string {
  return author && `<h1 class="title">${escapeXml(title)}</h1><p class="author">${escapeXml(author)}</p>`
}

const bookStyle =
  '.title{font-size:1.8em;font-weight:bold;text-align:center;text-indent:0;margin:1em 0 0.3em}.author{text-align:center;text-indent:0;color:#666;margin-bottom:2em}h2{color:#1d4e89;margin:1em 0}p{text-indent:2em;line-height:1.7;margin:0.4em 0}table{border-collapse:collapse;margin:1em 0}td,th{border:1px solid #b8c2cc;padding:0.3em 0.8em}th{background:#e2ecf7}'
