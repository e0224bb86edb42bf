import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

/** Writes a zip archive as a stream: memory does not grow with its size. See PKWARE's APPNOTE.TXT. */

export interface ZipEntry {
  /** With slashes. */
  name: string
  modifiedAt: number
  content: AsyncIterable<Uint8Array | string>
  /** Of a content that is compressed already, the bytes are stored as they are. */
  isCompressed?: boolean
  /** The size, if it is known: very large contents have larger fields in their header. */
  size?: number
}

interface WrittenEntry {
  name: Buffer
  time: number
  date: number
  crc: number
  size: number
  compressedSize: number
  offset: number
}

const signature = { local: 0x04034b50, descriptor: 0x08074b50, central: 0x02014b50, end: 0x06054b50 }
const signature64 = { end: 0x06064b50, locator: 0x07064b50 }
const deflated = 8
/** Sizes follow the content; names are UTF-8. */
const flags = 0x0808
const [plainVersion, version64] = [20, 45]
const max16 = 0xffff
const max32 = 0xffffffff
/** Below the limit of plain fields: what is not compressible grows a little. */
const largeSize = 0xf0000000

/** Ends with an error as soon as the content of an entry does. */
export async function* writeZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const written: WrittenEntry[] = []
  let offset = 0
  for await (const { name, modifiedAt, content, isCompressed = false, size = 0 } of entries) {
    const is64 = size >= largeSize
    const entry: WrittenEntry = {
      name: Buffer.from(name),
      ...toDosTime(modifiedAt),
      crc: 0,
      size: 0,
      compressedSize: 0,
      offset,
    }
    const header = localHeader(entry, is64)
    yield header
    const bytes = measured(content, entry)
    for await (const chunk of isCompressed ? store(bytes) : deflate(bytes)) {
      entry.compressedSize += chunk.length
      yield chunk
    }
    if (!is64 && Math.max(entry.size, entry.compressedSize) > max32)
      throw new RangeError(`${name} is larger than it was said to be`)
    const descriptor = dataDescriptor(entry, is64)
    yield descriptor
    offset += header.length + entry.compressedSize + descriptor.length
    written.push(entry)
  }
  const start = offset
  for (const entry of written) {
    const header = centralHeader(entry)
    offset += header.length
    yield header
  }
  yield endOfDirectory({ count: written.length, start, size: offset - start })
}

async function* measured(content: AsyncIterable<Uint8Array | string>, entry: WrittenEntry): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    entry.crc = crc32(bytes, entry.crc)
    entry.size += bytes.length
    yield bytes
  }
}

/**
 * As blocks of deflate that are not compressed (RFC 1951, 3.2.4), without zlib, whose memory is freed late. Not by the method
 * “stored”, with which no reader of a stream could tell where the content ends.
 */
async function* store(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of content)
    for (let from = 0; from < chunk.length; from += max16) {
      const block = chunk.subarray(from, from + max16)
      yield blockHeader(block.length, false)
      yield block
    }
  yield blockHeader(0, true)
}

function blockHeader(length: number, isLast: boolean): Buffer {
  const header = Buffer.allocUnsafe(5)
  header.writeUInt8(isLast ? 1 : 0, 0)
  header.writeUInt16LE(length, 1)
  header.writeUInt16LE(length ^ max16, 3)
  return header
}

/** By zlib's threads, not by the one that answers requests. */
function deflate(content: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> {
  const compressor = createDeflateRaw()
  // An error of the content destroys the compressor, which the reader of the compressor gets.
  pipeline(Readable.from(content), compressor, () => {})
  return compressor
}

function localHeader({ name, time, date }: WrittenEntry, is64: boolean): Buffer {
  const header = Buffer.alloc(30)
  // Of 64 bits each, filled in by the descriptor.
  const extra = is64 ? extra64([0, 0]) : Buffer.alloc(0)
  header.writeUInt32LE(signature.local, 0)
  header.writeUInt16LE(is64 ? version64 : plainVersion, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(deflated, 8)
  header.writeUInt16LE(time, 10)
  header.writeUInt16LE(date, 12)
  header.writeUInt32LE(is64 ? max32 : 0, 18)
  header.writeUInt32LE(is64 ? max32 : 0, 22)
  header.writeUInt16LE(name.length, 26)
  header.writeUInt16LE(extra.length, 28)
  return Buffer.concat([header, name, extra])
}

function dataDescriptor({ crc, size, compressedSize }: WrittenEntry, is64: boolean): Buffer {
  const descriptor = Buffer.alloc(is64 ? 24 : 16)
  descriptor.writeUInt32LE(signature.descriptor, 0)
  descriptor.writeUInt32LE(crc, 4)
  if (is64) {
    descriptor.writeBigUInt64LE(BigInt(compressedSize), 8)
    descriptor.writeBigUInt64LE(BigInt(size), 16)
  } else {
    descriptor.writeUInt32LE(compressedSize, 8)
    descriptor.writeUInt32LE(size, 12)
  }
  return descriptor
}

function centralHeader({ name, time, date, crc, size, compressedSize, offset }: WrittenEntry): Buffer {
  const header = Buffer.alloc(46)
  const fields = [size, compressedSize, offset]
  const is64 = fields.some((value) => value >= max32)
  const extra = is64 ? extra64(fields) : Buffer.alloc(0)
  const plain = (value: number) => (is64 ? max32 : value)
  header.writeUInt32LE(signature.central, 0)
  header.writeUInt16LE(is64 ? version64 : plainVersion, 4)
  header.writeUInt16LE(is64 ? version64 : plainVersion, 6)
  header.writeUInt16LE(flags, 8)
  header.writeUInt16LE(deflated, 10)
  header.writeUInt16LE(time, 12)
  header.writeUInt16LE(date, 14)
  header.writeUInt32LE(crc, 16)
  header.writeUInt32LE(plain(compressedSize), 20)
  header.writeUInt32LE(plain(size), 24)
  header.writeUInt16LE(name.length, 28)
  header.writeUInt16LE(extra.length, 30)
  header.writeUInt32LE(plain(offset), 42)
  return Buffer.concat([header, name, extra])
}

function endOfDirectory({ count, start, size }: { count: number; start: number; size: number }): Buffer {
  const is64 = count >= max16 || start >= max32 || size >= max32
  const end = Buffer.alloc(22)
  end.writeUInt32LE(signature.end, 0)
  end.writeUInt16LE(is64 ? max16 : count, 8)
  end.writeUInt16LE(is64 ? max16 : count, 10)
  end.writeUInt32LE(is64 ? max32 : size, 12)
  end.writeUInt32LE(is64 ? max32 : start, 16)
  if (!is64) return end
  const end64 = Buffer.alloc(56)
  end64.writeUInt32LE(signature64.end, 0)
  end64.writeBigUInt64LE(44n, 4)
  end64.writeUInt16LE(version64, 12)
  end64.writeUInt16LE(version64, 14)
  end64.writeBigUInt64LE(BigInt(count), 24)
  end64.writeBigUInt64LE(BigInt(count), 32)
  end64.writeBigUInt64LE(BigInt(size), 40)
  end64.writeBigUInt64LE(BigInt(start), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(signature64.locator, 0)
  locator.writeBigUInt64LE(BigInt(start + size), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([end64, locator, end])
}

function extra64(values: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * values.length)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8 * values.length, 2)
  for (const [n, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * n)
  return extra
}

/** In the time zone of the site, to two seconds, from 1980. */
function toDosTime(at: number): { time: number; date: number } {
  const day = new Date(Math.max(at, new Date(1980, 0, 1).getTime()))
  return {
    time: (day.getHours() << 11) | (day.getMinutes() << 5) | (day.getSeconds() >> 1),
    date: ((day.getFullYear() - 1980) << 9) | ((day.getMonth() + 1) << 5) | day.getDate(),
  }
}
