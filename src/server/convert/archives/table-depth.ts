import type { Bytes } from './bytes.ts'
import { Unconvertible } from '../converter.ts'
import { streamEntry, type ZipEntry } from './zip.ts'

const deepestTable = 60
const longestTag = 4000

/** Refuses tables in tables without end, which hang the office program. */
export async function checkTables(bytes: Bytes, body: ZipEntry): Promise<void> {
  const word = Buffer.from(body.name === 'content.xml' ? 'table' : 'tbl')
  let depth = 0
  let rest = Buffer.alloc(0)
  for await (const chunk of streamEntry(bytes, body)) {
    const xml = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const whole = Math.max(xml.lastIndexOf('<'), xml.length - longestTag, 0)
    const tags = xml.subarray(0, whole)
    for (let at = tags.indexOf(word); at >= 0; at = tags.indexOf(word, at + word.length)) {
      depth += stepAt(tags, at, at + word.length)
      if (depth > deepestTable) throw new Unconvertible('tooLarge', `tables ${depth} deep in ${body.name}`)
    }
    rest = Buffer.from(xml.subarray(whole))
  }
}

/** 1 where a table opens, -1 where one ends, 0 where the word means something else or opens and ends at once. */
function stepAt(xml: Buffer, from: number, to: number): number {
  if (!isNameEnd(xml[to])) return 0
  let start = from
  while (start > from - 40 && isNamePart(xml[start - 1])) start -= 1
  const isClosing = xml[start - 1] === slash
  if (xml[isClosing ? start - 2 : start - 1] !== opener) return 0
  if (isClosing) return -1
  let end = to
  while (end < xml.length && xml[end] !== closer && xml[end] !== opener) end += 1
  return xml[end] === closer && xml[end - 1] !== slash ? 1 : 0
}

const [opener, closer, slash] = [0x3c, 0x3e, 0x2f]

function isNameEnd(byte: number | undefined): boolean {
  return byte === closer || byte === slash || byte === 0x20 || (byte !== undefined && byte >= 9 && byte <= 13)
}

/** The prefix before the word: letters, digits, `-`, `_`, `.` and its colon. */
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
