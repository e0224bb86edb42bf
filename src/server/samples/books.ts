import { deflateSync } from 'node:zlib'
import { pack } from './pack.ts'
import { escapeXml, paragraphs } from './prose.ts'

/** Small, valid books in the formats people upload. */
interface Novel {
  title?: string
  chapters?: number
}

export function makeEpub({
  title = '山谷',
  chapters = 3,
  wrapper = '',
  extra = {},
}: Novel & { wrapper?: string; extra?: Record<string, string> } = {}): Uint8Array {
  const numbers = Array.from({ length: chapters }, (_, index) => index + 1)
  const parts: Record<string, string> = {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'OEBPS/content.opf': `<package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">made</dc:identifier><dc:title>${escapeXml(title)}</dc:title><dc:language>zh</dc:language></metadata><manifest><item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>${numbers.map((n) => `<item id="c${n}" href="c${n}.xhtml" media-type="application/xhtml+xml"/>`).join('')}</manifest><spine toc="ncx">${numbers.map((n) => `<itemref idref="c${n}"/>`).join('')}</spine></package>`,
    'OEBPS/toc.ncx': `<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><navMap>${numbers.map((n) => `<navPoint id="n${n}" playOrder="${n}"><navLabel><text>第${n}章</text></navLabel><content src="c${n}.xhtml"/></navPoint>`).join('')}</navMap></ncx>`,
    ...Object.fromEntries(
      numbers.map((n) => [
        `OEBPS/c${n}.xhtml`,
        `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>第${n}章</title></head><body>${chapter(n)}</body></html>`,
      ]),
    ),
    ...extra,
  }
  return pack(Object.fromEntries(Object.entries(parts).map(([name, content]) => [wrapper + name, content])))
}

/** The oldest kind: one text without compression. `encryption` and `version` are as in its header. */
export function makeMobi({
  title = '山谷',
  chapters = 3,
  encryption = 0,
  version = 6,
}: Novel & { encryption?: number; version?: number } = {}): Uint8Array {
  const html = `<html><body>${Array.from({ length: chapters }, (_, index) => chapter(index + 1)).join('<mbp:pagebreak/>')}</body></html>`
  const text = Buffer.from(html)
  const records = Array.from({ length: Math.ceil(text.length / 4096) }, (_, index) =>
    text.subarray(index * 4096, index * 4096 + 4096),
  )
  const name = Buffer.from(title)
  const first = Buffer.alloc(16 + 232 + name.length + 2)
  first.writeUInt16BE(1, 0)
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
  name.copy(first, 248)

  const all = [first, ...records]
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

export function makeUmd({ title = '山谷', chapters = 3 }: Novel = {}): Uint8Array {
  const wide = (text: string) => Buffer.from(text, 'utf16le')
  const texts = Array.from({ length: chapters }, (_, index) =>
    wide(`${paragraphs(6).join('\u2029')}\u2029第${index + 1}章完\u2029`),
  )
  const titles = texts.map((_, index) => wide(`第${index + 1}章`))
  const starts = texts.map((_, index) => texts.slice(0, index).reduce((sum, text) => sum + text.length, 0))
  const whole = Buffer.concat(texts)
  const pieces = Array.from({ length: Math.ceil(whole.length / 32_768) }, (_, index) =>
    whole.subarray(index * 32_768, (index + 1) * 32_768),
  )
  return Buffer.concat([
    Buffer.from('de9a9b89', 'hex'),
    record(1, Buffer.from([1, 0x34, 0x12])),
    record(2, wide(title)),
    record(3, wide('无名氏')),
    record(0x0b, number(whole.length)),
    record(0x83, number(0x3001)),
    block(0x3001, Buffer.concat(starts.map(number))),
    record(0x84, number(0x3002)),
    block(0x3002, Buffer.concat(titles.flatMap((name) => [Buffer.from([name.length]), name]))),
    ...pieces.map((piece, index) => block(0x5000 + index, deflateSync(piece))),
    record(0x0c, number(0)),
  ])
}

function record(type: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x23, type & 0xff, type >> 8, 0, data.length + 5]), data])
}

function block(id: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x24]), number(id), number(data.length + 9), data])
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function chapter(number: number): string {
  const lines = paragraphs(8).map((line) => `<p>${escapeXml(line)}</p>`)
  return `<h2>第${number}章 山谷里的第${number}个春天</h2>${lines.join('')}`
}
