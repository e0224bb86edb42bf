import type { ByteReader } from './bytes.ts'
import { Unconvertible } from '../converter.ts'
import { streamEntry, type ZipEntry } from './zip.ts'

const maxDepth = 60
const maxTagLength = 4000

/** Refuses deeply nested tables, which hang LibreOffice. Searches the bytes for the element's name, without a parser. */
export async function assertTableDepth(bytes: ByteReader, body: ZipEntry): Promise<void> {
  const element = Buffer.from(body.name === 'content.xml' ? 'table' : 'tbl')
  let depth = 0
  let rest = Buffer.alloc(0)
  for await (const chunk of streamEntry(bytes, body)) {
    const xml = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const completeEnd = Math.max(xml.lastIndexOf('<'), xml.length - maxTagLength, 0)
    const tags = xml.subarray(0, completeEnd)
    for (let at = tags.indexOf(element); at >= 0; at = tags.indexOf(element, at + element.length)) {
      depth += depthChange(tags, at, at + element.length)
      if (depth > maxDepth) throw new Unconvertible('tooLarge', `tables ${depth} deep in ${body.name}`)
    }
    rest = Buffer.from(xml.subarray(completeEnd))
  }
}

/** 1 for an opening tag, -1 for a closing one, 0 for an empty element or where the word is no element's name. */
function depthChange(xml: Buffer, from: number, to: number): number {
  if (!isNameEnd(xml[to])) return 0
  let start = from
  while (start > from - 40 && isNamePart(xml[start - 1])) start -= 1
  const isClosing = xml[start - 1] === slash
  if (xml[isClosing ? start - 2 : start - 1] !== lessThan) return 0
  if (isClosing) return -1
  let end = to
  while (end < xml.length && xml[end] !== greaterThan && xml[end] !== lessThan) end += 1
  return xml[end] === greaterThan && xml[end - 1] !== slash ? 1 : 0
}

const [lessThan, greaterThan, slash] = [0x3c, 0x3e, 0x2f]

function isNameEnd(byte: number | undefined): boolean {
  return byte === greaterThan || byte === slash || byte === 0x20 || (byte !== undefined && byte >= 9 && byte <= 13)
}

/** A byte of a namespace prefix, or its colon. */
function isNamePart(byte: number | undefined): boolean {
  if (byte === undefined) return false
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x30 && byte <= 0x3a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    byte === 0x2d ||
    byte === 0x2e ||
    byte === 0x5f
  )
}
