import { escapeXml } from '#server/convert/xml.ts'
import type { Manuscript } from './chapters.ts'
import { chapterHtml } from './html.ts'

/** A help file with a page for each chapter, in the order of its table of contents. */
export function makeHelp({ title = '帮助', chapters = [] }: Manuscript): Uint8Array {
  const pages = chapters.map((chapter, index) => ({ chapter, path: `p${index + 1}.htm` }))
  const entry = ({ chapter, path }: (typeof pages)[number]) =>
    `<li><object type="text/sitemap"><param name="Name" value="${escapeXml(chapter.title)}"><param name="Local" value="${path}"></object>`
  const page = (body: string) =>
    `<html><head><meta charset="utf-8"><title>${escapeXml(title)}</title></head><body>${body}</body></html>`
  return makeChm({
    '/contents.hhc': page(`<ul>${pages.map(entry).join('')}</ul>`),
    ...Object.fromEntries(pages.map(({ chapter, path }) => [`/${path}`, page(chapterHtml(chapter))])),
  })
}

/** A help file with these parts, none of them compressed. Names begin with a slash. */
export function makeChm(parts: Record<string, Uint8Array | string>): Uint8Array {
  const sections = Buffer.concat([uint16s(16, 1, 12), Buffer.from('Uncompressed\0', 'utf16le')])
  const files = Object.entries({ ...parts, '::DataSpace/NameList': sections })
    .map(([name, content]) => ({ name, content: Buffer.from(content) }))
    .toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
  let offset = 0
  const entries = files.map(({ name, content }) => {
    const nameBytes = Buffer.from(name)
    const entry = [
      encodedInteger(nameBytes.length),
      nameBytes,
      encodedInteger(0),
      encodedInteger(offset),
      encodedInteger(content.length),
    ]
    offset += content.length
    return Buffer.concat(entry)
  })

  const chunk = Buffer.alloc(4096)
  const list = Buffer.concat(entries)
  chunk.write('PMGL', 0, 'latin1')
  chunk.writeUInt32LE(4096 - 20 - list.length, 4)
  chunk.writeInt32LE(-1, 12)
  chunk.writeInt32LE(-1, 16)
  list.copy(chunk, 20)
  chunk.writeUInt16LE(entries.length, 4094)

  const guid = Buffer.from('10fd017caa7bd0119e0c00a0c922e6ec', 'hex')
  const directory = Buffer.concat([
    Buffer.from('ITSP', 'latin1'),
    int32s(1, 0x54, 10, 4096, 2, 1, -1, 0, 0, -1, 1, 0x804),
    Buffer.from('6a92025d2e21d0119df900a0c922e6ec', 'hex'),
    int32s(0x54, -1, -1, -1),
    chunk,
  ])
  const [sizesAt, directoryAt] = [0x60, 0x78]
  const contentAt = directoryAt + directory.length
  return Buffer.concat([
    Buffer.from('ITSF', 'latin1'),
    int32s(3, 0x60, 1, 0, 0x804),
    guid,
    guid,
    int32s(sizesAt, 0, 0x18, 0, directoryAt, 0, directory.length, 0, contentAt, 0),
    int32s(0x1fe, 0, contentAt + offset, 0, 0, 0),
    directory,
    ...files.map(({ content }) => content),
  ])
}

/** Big-endian, seven bits a byte; the highest bit is set in all but the last. */
function encodedInteger(value: number): Buffer {
  const digits = [value & 0x7f]
  for (let rest = value >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 0x7f) | 0x80)
  return Buffer.from(digits)
}

function int32s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeInt32LE(value, index * 4)
  return bytes
}

function uint16s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2)
  return bytes
}
