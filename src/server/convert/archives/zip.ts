import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createInflateRaw, inflateRaw, inflateRawSync } from 'node:zlib'
import type { ByteReader } from './bytes.ts'
import { Unconvertible } from '../converter.ts'

export interface ZipEntry {
  name: string
  encrypted: boolean
  method: number
  packedSize: number
  size: number
  offset: number
}

/** How much may still be unpacked of a file. */
export interface Budget {
  bytesLeft: number
}

const endRecordBytes = 22
const localHeaderBytes = 30
const zip64Marker = 0xffffffff
const defaultMaxEntryBytes = 4e6
const maxStartBytes = 65_536
const inflate = promisify(inflateRaw)

/** The directory of an archive. Nothing is unpacked; `assertZipWithinLimits` checks the sizes it states. */
export async function readZip(bytes: ByteReader): Promise<ZipEntry[]> {
  const { at, length, count } = await findDirectory(bytes)
  if (count > 20_000 || length > 4e6) throw new Unconvertible('tooLarge', `an archive of ${count} entries`)
  const directory = await bytes.read(at, length)
  const entries: ZipEntry[] = []
  for (let from = 0; entries.length < count;) {
    if (from + 46 > directory.length || directory.readUInt32LE(from) !== 0x02014b50) throw damaged('directory entry')
    const nameEnd = from + 46 + directory.readUInt16LE(from + 28)
    const extraEnd = nameEnd + directory.readUInt16LE(from + 30)
    const flags = directory.readUInt16LE(from + 8)
    const name = directory.subarray(from + 46, nameEnd).toString('utf8')
    const [size = 0, packedSize = 0, offset = 0] = zip64Fields(directory.subarray(nameEnd, extraEnd), [
      directory.readUInt32LE(from + 24),
      directory.readUInt32LE(from + 20),
      directory.readUInt32LE(from + 42),
    ])
    const method = directory.readUInt16LE(from + 10)
    entries.push({ name, encrypted: (flags & 1) !== 0, method, packedSize, size, offset })
    from = extraEnd + directory.readUInt16LE(from + 32)
  }
  assertNoOverlaps(entries, at)
  return entries
}

/** Entries that share their data make a zip bomb (overlapping files): it is not seen in the ratio of any one of them. */
function assertNoOverlaps(entries: ZipEntry[], directoryAt: number): void {
  const inOrder = entries.toSorted((a, b) => a.offset - b.offset)
  for (const [index, { name, offset, packedSize }] of inOrder.entries()) {
    const end = offset + localHeaderBytes + packedSize
    if (end > (inOrder[index + 1]?.offset ?? directoryAt)) throw damaged(`${name} overlaps`)
  }
}

/** A small entry as a whole. */
export async function readEntry(
  bytes: ByteReader,
  entry: ZipEntry,
  { maxBytes = defaultMaxEntryBytes, budget }: { maxBytes?: number; budget?: Budget } = {},
): Promise<Buffer> {
  const cost = Math.max(entry.size, entry.packedSize)
  if (cost > maxBytes || (budget && cost > budget.bytesLeft)) throw new Unconvertible('tooLarge', entry.name)
  if (budget) budget.bytesLeft -= cost
  const packed = await bytes.read(await findEntryData(bytes, entry), entry.packedSize)
  if (packed.length < entry.packedSize) throw damaged(entry.name)
  if (entry.method === 0 || entry.size === 0) return packed.subarray(0, entry.size)
  try {
    return await inflate(packed, { maxOutputLength: entry.size })
  } catch {
    throw damaged(entry.name)
  }
}

/** What the first `packedBytes` of an entry unpack to, or fewer of them if that would be more than `maxStartBytes`. */
export async function readEntryStart(
  bytes: ByteReader,
  entry: ZipEntry,
  { packedBytes, budget }: { packedBytes: number; budget: Budget },
): Promise<Buffer> {
  const packed = await bytes.read(await findEntryData(bytes, entry), Math.min(entry.packedSize, packedBytes))
  if (entry.method === 0 || entry.size === 0) return packed.subarray(0, entry.size)
  const limit = Math.min(entry.size, maxStartBytes)
  for (let length = packed.length; ; length = Math.floor(length / 2)) {
    const start = inflateStart(packed.subarray(0, length), limit)
    if (start === undefined || (start === 'tooLong' && limit < maxStartBytes)) throw damaged(entry.name)
    budget.bytesLeft -= start === 'tooLong' ? limit : start.length
    if (budget.bytesLeft < 0) throw new Unconvertible('tooLarge', entry.name)
    if (start !== 'tooLong') return start
  }
}

/** Synchronous: for so few bytes the thread pool costs more than inflating them. */
function inflateStart(packed: Buffer, maxOutputLength: number): Buffer | 'tooLong' | undefined {
  try {
    return inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return code === 'ERR_BUFFER_TOO_LARGE' ? 'tooLong' : undefined
  }
}

/** An entry of any size, unpacked while it is consumed. */
export async function* streamEntry(bytes: ByteReader, entry: ZipEntry): AsyncGenerator<Buffer> {
  const packed = Readable.from(packedChunks(bytes, await findEntryData(bytes, entry), entry.packedSize))
  const inflater = createInflateRaw({ chunkSize: 65_536 })
  const unpacked = entry.method === 0 ? packed : packed.on('error', (error) => inflater.destroy(error)).pipe(inflater)
  let bytesLeft = entry.size
  try {
    for await (const chunk of unpacked) {
      bytesLeft -= chunk.length
      if (bytesLeft < 0) throw damaged(entry.name)
      yield chunk
    }
  } catch {
    throw damaged(entry.name)
  } finally {
    packed.destroy()
    inflater.destroy()
  }
}

async function* packedChunks(bytes: ByteReader, at: number, length: number): AsyncGenerator<Buffer> {
  for (let done = 0; done < length;) {
    const chunk = await bytes.read(at + done, Math.min(65_536, length - done))
    if (chunk.length === 0) return
    done += chunk.length
    yield chunk
  }
}

async function findDirectory(bytes: ByteReader): Promise<{ at: number; length: number; count: number }> {
  const tailAt = Math.max(0, bytes.size - endRecordBytes - 65_535)
  const tail = await bytes.read(tailAt, bytes.size - tailAt)
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0 || end + endRecordBytes > tail.length) throw damaged('no directory')
  const zip32 = {
    count: tail.readUInt16LE(end + 10),
    length: tail.readUInt32LE(end + 12),
    at: tail.readUInt32LE(end + 16),
  }
  if (zip32.at !== zip64Marker && zip32.length !== zip64Marker && zip32.count !== 0xffff) return zip32
  const locator = await bytes.read(tailAt + end - 20, 20)
  if (locator.length < 20 || locator.readUInt32LE(0) !== 0x07064b50) throw damaged('no zip64 directory')
  const record = await bytes.read(Number(locator.readBigUInt64LE(8)), 56)
  if (record.length < 56 || record.readUInt32LE(0) !== 0x06064b50) throw damaged('no zip64 directory')
  const [count, length, at] = [32, 40, 48].map((from) => Number(record.readBigUInt64LE(from)))
  return { count: count ?? 0, length: length ?? 0, at: at ?? 0 }
}

/** Values that do not fit into 32 bits are listed in an extra field, in the same order. */
function zip64Fields(extra: Buffer, zip32: number[]): number[] {
  if (!zip32.includes(zip64Marker)) return zip32
  for (let from = 0; from + 4 <= extra.length; from += 4 + extra.readUInt16LE(from + 2)) {
    if (extra.readUInt16LE(from) !== 1) continue
    let next = from + 4
    return zip32.map((value) => {
      if (value !== zip64Marker || next + 8 > extra.length) return value
      next += 8
      return Number(extra.readBigUInt64LE(next - 8))
    })
  }
  return zip32
}

/** The offset of the data, which follows the local header. */
export async function findEntryData(bytes: ByteReader, entry: ZipEntry): Promise<number> {
  const local = await bytes.read(entry.offset, localHeaderBytes)
  if (local.length < localHeaderBytes || local.readUInt32LE(0) !== 0x04034b50) throw damaged(entry.name)
  return entry.offset + localHeaderBytes + local.readUInt16LE(26) + local.readUInt16LE(28)
}

function damaged(detail: string): Unconvertible {
  return new Unconvertible('damaged', `zip: ${detail}`)
}
