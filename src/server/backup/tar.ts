import type { FileHandle } from 'node:fs/promises'
import { BackupError } from './format.ts'

/** Where an entry's bytes are in the file. */
export interface Entry {
  name: string
  size: number
  offset: number
}

const blockSize = 512
const chunkSize = 256 * 1024
const maxOctal = 0o77777777777
const damaged = '备份文件已损坏，不能使用'

/** The head of an entry in a tar archive (ustar), always the same bytes for the same name, size and time. */
export function entryHead(name: string, size: number, at: number): Buffer {
  const head = Buffer.alloc(blockSize)
  const { prefix, rest } = split(name)
  head.write(rest, 0)
  head.write('0000600\u00000000000\u00000000000\0', 100)
  writeSize(head, size)
  head.write(`${octal(Math.floor(at / 1000), 11)}\0`, 136)
  head.write(' '.repeat(8) + '0', 148)
  head.write('ustar\u000000', 257)
  head.write(prefix, 345)
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${octal(sum, 6)}\0 `, 148)
  return head
}

/** The padding of the last block of an entry. */
export function filling(size: number): Buffer {
  return Buffer.alloc((blockSize - (size % blockSize)) % blockSize)
}

export const archiveEnd = Buffer.alloc(2 * blockSize)

/**
 * The entries of an archive that `entryHead` has written. Every byte outside the bodies is compared with what it must be,
 * so that no damage is missed; the caller reads and verifies the bodies.
 */
export async function* readEntries(file: FileHandle): AsyncGenerator<Entry> {
  const { size: length } = await file.stat()
  for (let at = 0; ;) {
    const head = await readAt(file, at, blockSize)
    if (isEmpty(head)) {
      const end = await readAt(file, at, archiveEnd.length)
      if (at + archiveEnd.length !== length || !isEmpty(end)) throw new BackupError(damaged)
      return
    }
    const { name, size } = parseHead(head)
    const offset = at + blockSize
    const fill = filling(size).length
    if (offset + size + fill > length) throw new BackupError('备份文件不完整，可能没有复制完')
    if (!isEmpty(await readAt(file, offset + size, fill))) throw new BackupError(damaged)
    yield { name, size, offset }
    at = offset + size + fill
  }
}

export async function* readBody(file: FileHandle, { offset, size }: Entry): AsyncGenerator<Buffer> {
  for (let done = 0; done < size;) {
    const chunk = await readAt(file, offset + done, Math.min(chunkSize, size - done))
    yield chunk
    done += chunk.length
  }
}

export async function readWholeBody(file: FileHandle, entry: Entry): Promise<Buffer> {
  return readAt(file, entry.offset, entry.size)
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  for (let done = 0; done < length;) {
    const { bytesRead } = await file.read(buffer, done, length - done, position + done)
    if (bytesRead === 0) throw new BackupError('备份文件不完整，可能没有复制完')
    done += bytesRead
  }
  return buffer
}

function parseHead(head: Buffer): { name: string; size: number } {
  const text = (from: number, length: number) => {
    const field = head.subarray(from, from + length)
    const end = field.indexOf(0)
    return field.toString('utf8', 0, end < 0 ? length : end)
  }
  if (text(257, 5) !== 'ustar') throw new BackupError('这不是文豆的备份文件')
  const prefix = text(345, 155)
  const name = prefix ? `${prefix}/${text(0, 100)}` : text(0, 100)
  const size = (head[124] ?? 0) & 0x80 ? Number(head.readBigUInt64BE(128)) : Number.parseInt(text(124, 11), 8)
  const at = Number.parseInt(text(136, 11), 8) * 1000
  const isWhole = Number.isSafeInteger(size) && Number.isSafeInteger(at) && fits(name)
  if (!isWhole || !entryHead(name, size, at).equals(head)) throw new BackupError(damaged)
  return { name, size }
}

function writeSize(head: Buffer, size: number): void {
  if (size <= maxOctal) {
    head.write(`${octal(size, 11)}\0`, 124)
    return
  }
  // GNU tar's binary size, for sizes beyond the octal digits.
  head[124] = 0x80
  head.writeBigUInt64BE(BigInt(size), 128)
}

function split(name: string): { prefix: string; rest: string } {
  if (Buffer.byteLength(name) <= 100) return { prefix: '', rest: name }
  const cut = name.indexOf('/', name.length - 101)
  return { prefix: name.slice(0, cut), rest: name.slice(cut + 1) }
}

function fits(name: string): boolean {
  const { prefix, rest } = split(name)
  return rest.length > 0 && Buffer.byteLength(rest) <= 100 && Buffer.byteLength(prefix) <= 155
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

function isEmpty(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0)
}
