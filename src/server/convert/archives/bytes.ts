import { fstat, read } from 'node:fs'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'

/** Bytes that are read a piece at a time: a file of any size is never in memory as a whole. */
export interface Bytes {
  size: number
  /** Shorter than asked for at the end. */
  read(at: number, length: number): Promise<Buffer>
}

export async function withFile<T>(path: string, use: (bytes: Bytes) => Promise<T>): Promise<T> {
  const file = await open(path, 'r')
  try {
    return await use(await bytesAt(file.fd))
  } finally {
    await file.close()
  }
}

/** Of a file that is open already, perhaps by somebody who may read more than we may. */
export async function bytesAt(descriptor: number): Promise<Bytes> {
  const { size } = await promisify(fstat)(descriptor)
  return {
    size,
    read: async (at, length) => {
      const wanted = Math.max(0, Math.min(length, size - at))
      if (wanted === 0) return Buffer.alloc(0)
      const { buffer, bytesRead } = await readPiece(descriptor, Buffer.allocUnsafe(wanted), 0, wanted, at)
      return buffer.subarray(0, bytesRead)
    },
  }
}

export function bytesOf(buffer: Buffer): Bytes {
  return { size: buffer.length, read: async (at, length) => buffer.subarray(at, at + length) }
}

/** Small pieces that lie near one another cost one reading. */
export function buffered(bytes: Bytes, windowBytes = 65_536): Bytes {
  let window: { at: number; content: Buffer } = { at: 0, content: Buffer.alloc(0) }
  return {
    size: bytes.size,
    read: async (at, length) => {
      const wanted = Math.max(0, Math.min(length, bytes.size - at))
      if (wanted > windowBytes) return bytes.read(at, wanted)
      const isInside = at >= window.at && at + wanted <= window.at + window.content.length
      if (!isInside) window = { at, content: await bytes.read(at, windowBytes) }
      return window.content.subarray(at - window.at, at - window.at + wanted)
    },
  }
}

const readPiece = promisify(read)
