import type { ByteReader } from '../../archives/bytes.ts'
import { type Budget } from '../../archives/zip.ts'
import { Unconvertible } from '../../converter.ts'

/** The text of a MOBI file as HTML, and its records: those of pictures come after those of text. */
export interface MobiText {
  html: string
  /** The number of the first record that may be a picture; pictures name their record from it, counted from 1. */
  firstPicture: number
  /** Where a record lies in the file; undefined if there is none. */
  record(index: number): { at: number; length: number } | undefined
}

/** What the files that are accepted use (`sniff.ts`): none, or PalmDOC. */
const palmDoc = 2
const utf8 = 65_001
/** A record has 4096 bytes of text; some programs write a little more. */
const maxRecordText = 65_536

/** Reads the text that MuPDF shows as pages. Damage in one record costs no more than its text. */
export async function readMobiText(input: ByteReader, budget: Budget): Promise<MobiText> {
  const head = await input.read(0, 78)
  const count = head.length < 78 ? 0 : head.readUInt16BE(76)
  const table = await input.read(78, count * 8)
  const starts = Array.from({ length: Math.floor(table.length / 8) }, (_, index) => table.readUInt32BE(index * 8))
  const record = (index: number) => {
    const at = starts[index]
    const end = starts[index + 1] ?? input.size
    return at === undefined || end <= at || end > input.size ? undefined : { at, length: end - at }
  }
  const first = record(0)
  const header = first ? await input.read(first.at, Math.min(first.length, 4096)) : Buffer.alloc(0)
  if (header.length < 16) throw new Unconvertible('damaged', 'mobi: no header')
  const number = (at: number) => (header.length >= at + 4 ? header.readUInt32BE(at) : undefined)
  const isPacked = header.readUInt16BE(0) === palmDoc
  const trailers = header.length >= 244 && (number(20) ?? 0) >= 228 ? header.readUInt16BE(242) : 0
  const parts: Buffer[] = []
  for (let index = 1; index <= header.readUInt16BE(8); index++) {
    const place = record(index)
    if (!place || place.length > maxRecordText) continue
    const bytes = withoutTrailers(await input.read(place.at, place.length), trailers)
    const part = isPacked ? unpackPalmDoc(bytes) : bytes
    budget.bytesLeft -= part.length
    if (budget.bytesLeft < 0) throw new Unconvertible('tooLarge', 'mobi')
    parts.push(part)
  }
  const encoding = number(28) === utf8 ? 'utf-8' : 'windows-1252'
  const html = new TextDecoder(encoding).decode(Buffer.concat(parts))
  return { html, firstPicture: number(108) ?? 0, record }
}

/** After the text of a record may stand other data, whose kinds are the bits of `flags`. */
function withoutTrailers(bytes: Buffer, flags: number): Buffer {
  let { length } = bytes
  for (let rest = flags >> 1; rest > 0; rest >>= 1) if (rest & 1) length -= trailerLength(bytes, length)
  // The bytes of a character that goes on in the next record stand in both of them.
  if (flags & 1 && length > 0) length -= ((bytes[length - 1] ?? 0) & 3) + 1
  return bytes.subarray(0, Math.max(0, length))
}

/** A trailer ends with its own length: seven bits in each byte, the highest marks the first of them. */
function trailerLength(bytes: Buffer, end: number): number {
  let value = 0
  for (const byte of bytes.subarray(Math.max(0, end - 4), Math.max(0, end)))
    value = byte & 0x80 ? byte & 0x7f : value * 128 + byte
  return value
}

/** PalmDOC: bytes as they are, runs of them, a blank before a letter, or a copy of what came before. */
function unpackPalmDoc(bytes: Buffer): Buffer {
  const out: number[] = []
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at++] ?? 0
    if (byte >= 1 && byte <= 8) {
      out.push(...bytes.subarray(at, at + byte))
      at += byte
    } else if (byte < 0x80) out.push(byte)
    else if (byte >= 0xc0) out.push(0x20, byte ^ 0x80)
    else {
      const pair = (byte << 8) | (bytes[at++] ?? 0)
      const distance = (pair >> 3) & 0x7ff
      // Nothing stands so far back in a damaged record.
      if (distance === 0 || distance > out.length) continue
      for (let copied = (pair & 7) + 3; copied > 0; copied--) out.push(out[out.length - distance] ?? 0)
    }
    if (out.length > maxRecordText) break
  }
  return Buffer.from(out)
}
