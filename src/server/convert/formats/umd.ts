import { inflateSync } from 'node:zlib'
import { Unconvertible } from '../converter.ts'
import { chaptersOf } from './text.ts'
import { type Book, type Chapter, escapeXml } from './epub.ts'

const textLimit = 128e6

interface Parts {
  kind: number
  title: string
  author: string
  offsets: number[]
  titles: string[]
  text: string
}

/** A book of the e-readers of the 2000s: records for what it is, then packed pieces of UTF-16. */
export function readUmd(bytes: Buffer): Book {
  const { kind, title, author, offsets, titles, text } = partsOf(bytes)
  if (kind !== 1) throw new Unconvertible('unsupported', `umd of kind ${kind}`)
  if (!text.trim()) throw new Unconvertible('empty', 'umd')
  return { title, author, chapters: chapters(text, offsets, titles) }
}

function* chapters(text: string, offsets: number[], titles: string[]): Generator<Chapter> {
  if (offsets.length === 0) yield* chaptersOf(text)
  for (const [index, from] of offsets.entries()) {
    const title = titles[index]?.trim() || `第 ${index + 1} 章`
    const part = text.slice(from, offsets[index + 1] ?? text.length)
    const lines = part.split(/[\u2029\u2028\r\n]+/).map((line) => line.trim())
    const paragraphs = lines.filter((line, at) => line && !(at === 0 && line === title))
    const body = paragraphs.map((line) => `<p>${escapeXml(line)}</p>`).join('\n')
    yield { title, level: 0, body: `<h2>${escapeXml(title)}</h2>\n${body}` }
  }
}

/** `#` opens a record, `$` a block of data that belongs to the record before it. */
function partsOf(bytes: Buffer): Parts {
  const parts: Parts = { kind: 1, title: '', author: '', offsets: [], titles: [], text: '' }
  const pieces: Buffer[] = []
  const owner = new Map<number, number>()
  let length = 0
  for (let at = 4; at < bytes.length;) {
    const mark = bytes[at]
    if (mark === 0x23 && at + 5 <= bytes.length) {
      const [type, size] = [bytes.readUInt16LE(at + 1), bytes.readUInt8(at + 4)]
      if (size < 5) throw damaged('record')
      const data = bytes.subarray(at + 5, at + size)
      if (type === 1) parts.kind = data[0] ?? 0
      if (type === 2) parts.title = data.toString('utf16le')
      if (type === 3) parts.author = data.toString('utf16le')
      if ((type === 0x83 || type === 0x84) && data.length >= 4) owner.set(data.readUInt32LE(0), type)
      at += size
    } else if (mark === 0x24 && at + 9 <= bytes.length) {
      const [id, size] = [bytes.readUInt32LE(at + 1), bytes.readUInt32LE(at + 5)]
      if (size < 9) throw damaged('block')
      const data = bytes.subarray(at + 9, at + size)
      const type = owner.get(id)
      if (type === 0x83) parts.offsets = offsetsIn(data)
      else if (type === 0x84) parts.titles = titlesIn(data)
      else if (data[0] === 0x78) {
        const piece = inflate(data)
        length += piece.length
        if (length > textLimit) throw new Unconvertible('tooLarge', 'umd')
        pieces.push(piece)
      }
      at += size
    } else throw damaged('mark')
  }
  return { ...parts, text: Buffer.concat(pieces).toString('utf16le') }
}

function offsetsIn(data: Buffer): number[] {
  return Array.from({ length: Math.floor(data.length / 4) }, (_, index) => data.readUInt32LE(index * 4) / 2)
}

function titlesIn(data: Buffer): string[] {
  const titles: string[] = []
  for (let at = 0; at < data.length;) {
    const length = data.readUInt8(at)
    titles.push(data.subarray(at + 1, at + 1 + length).toString('utf16le'))
    at += 1 + length
  }
  return titles
}

/** Covers and page tables lie among the text, and are not packed. */
function inflate(data: Buffer): Buffer {
  try {
    return inflateSync(data, { maxOutputLength: 4e6 })
  } catch {
    throw damaged('packed text')
  }
}

function damaged(detail: string): Unconvertible {
  return new Unconvertible('damaged', `umd: ${detail}`)
}
