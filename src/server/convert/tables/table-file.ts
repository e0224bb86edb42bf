import type { TableIndex } from '#shared/tables.ts'
import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Unconvertible } from '../converter.ts'

/** One file: slices of rows (gzip, JSON), the index (the same), and the index's length in four bytes. */
export interface StoredIndex {
  index: TableIndex
  /** Where the slices of each sheet start; one more number than slices, which is where the last one ends. */
  offsets: number[][]
}

export const footerBytes = 4
const maxPackedIndexBytes = 8e6
const maxIndexBytes = 32e6
const decompress = promisify(gunzip)

export async function readStoredIndex(path: string): Promise<StoredIndex> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const length = (await readAt(file, size - footerBytes, footerBytes)).readUInt32LE(0)
    if (length > Math.min(maxPackedIndexBytes, size - footerBytes))
      throw new Unconvertible('crashed', 'table: no index')
    const packed = await readAt(file, size - footerBytes - length, length)
    const json = await decompress(packed, { maxOutputLength: maxIndexBytes })
    return JSON.parse(json.toString('utf8')) as StoredIndex
  } finally {
    await file.close()
  }
}

async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  if (at < 0) throw new Unconvertible('crashed', 'table: no index')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at)
  if (bytesRead < length) throw new Unconvertible('crashed', 'table: no index')
  return buffer
}
