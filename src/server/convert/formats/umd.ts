import { inflateSync } from 'node:zlib'
import { Unconvertible } from '../converter.ts'
import { splitChapters } from './text.ts'
import { escapeXml } from '../xml.ts'
import { type Book, type Chapter } from './epub.ts'

const maxTextBytes = 128e6

interface UmdContent {
  kind: number
  title: string
  author: string
  offsets: number[]
  titles: string[]
  text: string
}

/** An e-book format for phones of the 2000s: records of metadata, then deflated blocks of UTF-16. */
export function readUmd(bytes: Buffer): Book {
  const { kind, title, author, offsets, titles, text } = parseUmd(bytes)
  if (kind !== 1) throw new Unconvertible('unsupported', `umd of kind ${kind}`)
  if (!text.trim()) throw new Unconvertible('empty', 'umd')
  return { title, author, chapters: toChapters(text, offsets, titles) }
}

function* toChapters(text: string, offsets: number[], titles: string[]): Generator<Chapter> {
  if (offsets.length === 0) yield* splitChapters(text)
  for (const [index, from] of offsets.entries()) {
    const title = titles[index]?.trim() || `第 ${index + 1} 章`
    const part = text.slice(from, offsets[index + 1] ?? text.length)
    const lines = part.split(/[\u2029\u2028\r\n]+/).map((line) => line.trim())
    const paragraphs = lines.filter((line, at) => line && !(at === 0 && line === title))
    const body = paragraphs.map((line) => `<p>${escapeXml(line)}</p>`).join('\n')
    yield { title, level: 0, body: `<h2>${escapeXml(title)}</h2>\n${body}` }
  }
}

/** `#` begins a record, `$` a data block, which a record may refer to by its id. */
function parseUmd(bytes: Buffer): UmdContent {
  const content: UmdContent = { kind: 1, title: '', author: '', offsets: [], titles: [], text: '' }
  const blocks: Buffer[] = []
  const typeByBlock = new Map<number, number>()
  let textBytes = 0
  for (let at = 4; at < bytes.length;) {
    const marker = bytes[at]
    if (marker === 0x23 && at + 5 <= bytes.length) {
      const [type, size] = [bytes.readUInt16LE(at + 1), bytes.readUInt8(at + 4)]
      if (size < 5) throw damaged('record')
      const data = bytes.subarray(at + 5, at + size)
      if (type === 1) content.kind = data[0] ?? 0
      if (type === 2) content.title = data.toString('utf16le')
      if (type === 3) content.author = data.toString('utf16le')
      if ((type === 0x83 || type === 0x84) && data.length >= 4) typeByBlock.set(data.readUInt32LE(0), type)
      at += size
    } else if (marker === 0x24 && at + 9 <= bytes.length) {
      const [id, size] = [bytes.readUInt32LE(at + 1), bytes.readUInt32LE(at + 5)]
      if (size < 9) throw damaged('block')
      const data = bytes.subarray(at + 9, at + size)
      const type = typeByBlock.get(id)
      if (type === 0x83) content.offsets = parseOffsets(data)
      else if (type === 0x84) content.titles = parseTitles(data)
      // Covers and page tables are not deflated: 0x78 begins a zlib stream.
      else if (data[0] === 0x78) {
        const block = inflateBlock(data)
        textBytes += block.length
        if (textBytes > maxTextBytes) throw new Unconvertible('tooLarge', 'umd')
        blocks.push(block)
      }
      at += size
    } else throw damaged('marker')
  }
  return { ...content, text: Buffer.concat(blocks).toString('utf16le') }
}

function parseOffsets(data: Buffer): number[] {
  return Array.from({ length: Math.floor(data.length / 4) }, (_, index) => data.readUInt32LE(index * 4) / 2)
}

function parseTitles(data: Buffer): string[] {
  const titles: string[] = []
  for (let at = 0; at < data.length;) {
    const length = data.readUInt8(at)
    titles.push(data.subarray(at + 1, at + 1 + length).toString('utf16le'))
    at += 1 + length
  }
  return titles
}

function inflateBlock(data: Buffer): Buffer {
  try {
    return inflateSync(data, { maxOutputLength: 4e6 })
  } catch {
    throw damaged('packed text')
  }
}

function damaged(detail: string): Unconvertible {
  return new Unconvertible('damaged', `umd: ${detail}`)
}
