import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createInflateRaw, inflateRaw, inflateRawSync } from 'node:zlib'
import type { Bytes } from './bytes.ts'
import { Unconvertible } from '../converter.ts'

export interface ZipEntry {
  name: string
  encrypted: boolean
  method: number
  packed: number
  size: number
  at: number
}

/** How much may still be unpacked of a file, whatever it claims. */
export interface Budget {
  left: number
}

const endBytes = 22
const localBytes = 30
const most32 = 0xffffffff
const entryLimit = 4e6
const openingLimit = 65_536
const unpack = promisify(inflateRaw)

/** The directory of an archive. Nothing is unpacked: what it claims is bounded by `boundZip`. */
export async function readZip(bytes: Bytes): Promise<ZipEntry[]> {
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
    const wide = wideFields(directory.subarray(nameEnd, extraEnd), [
      directory.readUInt32LE(from + 24),
      directory.readUInt32LE(from + 20),
      directory.readUInt32LE(from + 42),
    ])
    const [size = 0, packed = 0, at = 0] = wide
    entries.push({ name, encrypted: (flags & 1) !== 0, method: directory.readUInt16LE(from + 10), packed, size, at })
    from = extraEnd + directory.readUInt16LE(from + 32)
  }
  refuseOverlaps(entries, at)
  return entries
}

/** One packed piece under many names unpacks to many times what the file could hold. */
function refuseOverlaps(entries: ZipEntry[], directoryAt: number): void {
  const inOrder = entries.toSorted((one, other) => one.at - other.at)
  for (const [index, { name, at, packed }] of inOrder.entries()) {
    if (at + localBytes + packed > (inOrder[index + 1]?.at ?? directoryAt)) throw damaged(`${name} overlaps`)
  }
}

/** All of a small entry. */
export async function readEntry(
  bytes: Bytes,
  entry: ZipEntry,
  { limit = entryLimit, budget }: { limit?: number; budget?: Budget } = {},
): Promise<Buffer> {
  const cost = Math.max(entry.size, entry.packed)
  if (cost > limit || (budget && cost > budget.left)) throw new Unconvertible('tooLarge', entry.name)
  if (budget) budget.left -= cost
  const packed = await bytes.read(await dataOf(bytes, entry), entry.packed)
  if (packed.length < entry.packed) throw damaged(entry.name)
  if (entry.method === 0 || entry.size === 0) return packed.subarray(0, entry.size)
  try {
    return await unpack(packed, { maxOutputLength: entry.size })
  } catch {
    throw damaged(entry.name)
  }
}

/** How an entry begins: what its first `packedBytes` unpack to, or fewer of them when that would be too much. */
export async function readOpening(
  bytes: Bytes,
  entry: ZipEntry,
  { packedBytes, budget }: { packedBytes: number; budget: Budget },
): Promise<Buffer> {
  const packed = await bytes.read(await dataOf(bytes, entry), Math.min(entry.packed, packedBytes))
  if (entry.method === 0 || entry.size === 0) return packed.subarray(0, entry.size)
  const limit = Math.min(entry.size, openingLimit)
  for (let length = packed.length; ; length = Math.floor(length / 2)) {
    const opening = unpackStart(packed.subarray(0, length), limit)
    if (opening === undefined || (opening === 'tooLong' && limit < openingLimit)) throw damaged(entry.name)
    budget.left -= opening === 'tooLong' ? limit : opening.length
    if (budget.left < 0) throw new Unconvertible('tooLarge', entry.name)
    if (opening !== 'tooLong') return opening
  }
}

/** At once: handing so little to another thread costs more than unpacking it. */
function unpackStart(packed: Buffer, maxOutputLength: number): Buffer | 'tooLong' | undefined {
  try {
    return inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return code === 'ERR_BUFFER_TOO_LARGE' ? 'tooLong' : undefined
  }
}

/** An entry of any size, unpacked a piece at a time. Stop reading and it stops unpacking. */
export async function* streamEntry(bytes: Bytes, entry: ZipEntry): AsyncGenerator<Buffer> {
  const packed = Readable.from(chunks(bytes, await dataOf(bytes, entry), entry.packed))
  const inflate = createInflateRaw({ chunkSize: 65_536 })
  const unpacked = entry.method === 0 ? packed : packed.on('error', (error) => inflate.destroy(error)).pipe(inflate)
  let left = entry.size
  try {
    for await (const chunk of unpacked) {
      left -= chunk.length
      if (left < 0) throw damaged(entry.name)
      yield chunk
    }
  } catch {
    throw damaged(entry.name)
  } finally {
    packed.destroy()
    inflate.destroy()
  }
}

async function* chunks(bytes: Bytes, at: number, length: number): AsyncGenerator<Buffer> {
  for (let done = 0; done < length;) {
    const chunk = await bytes.read(at + done, Math.min(65_536, length - done))
    if (chunk.length === 0) return
    done += chunk.length
    yield chunk
  }
}

async function findDirectory(bytes: Bytes): Promise<{ at: number; length: number; count: number }> {
  const tailAt = Math.max(0, bytes.size - endBytes - 65_535)
  const tail = await bytes.read(tailAt, bytes.size - tailAt)
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0 || end + endBytes > tail.length) throw damaged('no directory')
  const narrow = {
    count: tail.readUInt16LE(end + 10),
    length: tail.readUInt32LE(end + 12),
    at: tail.readUInt32LE(end + 16),
  }
  if (narrow.at !== most32 && narrow.length !== most32 && narrow.count !== 0xffff) return narrow
  const locator = await bytes.read(tailAt + end - 20, 20)
  if (locator.length < 20 || locator.readUInt32LE(0) !== 0x07064b50) throw damaged('no wide directory')
  const record = await bytes.read(Number(locator.readBigUInt64LE(8)), 56)
  if (record.length < 56 || record.readUInt32LE(0) !== 0x06064b50) throw damaged('no wide directory')
  const [count, length, at] = [32, 40, 48].map((from) => Number(record.readBigUInt64LE(from)))
  return { count: count ?? 0, length: length ?? 0, at: at ?? 0 }
}

/** Numbers that do not fit into 32 bits stand in an extra field, in their order. */
function wideFields(extra: Buffer, narrow: number[]): number[] {
  if (!narrow.includes(most32)) return narrow
  for (let from = 0; from + 4 <= extra.length; from += 4 + extra.readUInt16LE(from + 2)) {
    if (extra.readUInt16LE(from) !== 1) continue
    let next = from + 4
    return narrow.map((value) => {
      if (value !== most32 || next + 8 > extra.length) return value
      next += 8
      return Number(extra.readBigUInt64LE(next - 8))
    })
  }
  return narrow
}

async function dataOf(bytes: Bytes, entry: ZipEntry): Promise<number> {
  const local = await bytes.read(entry.at, localBytes)
  if (local.length < localBytes || local.readUInt32LE(0) !== 0x04034b50) throw damaged(entry.name)
  return entry.at + localBytes + local.readUInt16LE(26) + local.readUInt16LE(28)
}

function damaged(detail: string): Unconvertible {
  return new Unconvertible('damaged', `zip: ${detail}`)
}
