import { fstat, read } from 'node:fs'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'

/** Random access to bytes, so that a large file need not be loaded as a whole. */
export interface ByteReader {
  size: number
  /** Shorter than `length` at the end. */
  read(at: number, length: number): Promise<Buffer>
}

export async function withFile<T>(path: string, use: (bytes: ByteReader) => Promise<T>): Promise<T> {
  const file = await open(path, 'r')
  try {
    return await use(await readerOfDescriptor(file.fd))
  } finally {
    await file.close()
  }
}

/** For a process that inherited an open file which it may not open itself. */
export async function readerOfDescriptor(descriptor: number): Promise<ByteReader> {
  const { size } = await promisify(fstat)(descriptor)
  return {
    size,
    read: async (at, length) => {
      const available = Math.max(0, Math.min(length, size - at))
      if (available === 0) return Buffer.alloc(0)
      const { buffer, bytesRead } = await readDescriptor(descriptor, Buffer.allocUnsafe(available), 0, available, at)
      return buffer.subarray(0, bytesRead)
    },
  }
}

export function readerOfBuffer(buffer: Buffer): ByteReader {
  return { size: buffer.length, read: async (at, length) => buffer.subarray(at, at + length) }
}

/** Reads ahead, so that small reads near one another cost one system call. */
export function buffered(bytes: ByteReader, windowBytes = 65_536): ByteReader {
  let window: { at: number; content: Buffer } = { at: 0, content: Buffer.alloc(0) }
  return {
    size: bytes.size,
    read: async (at, length) => {
      const available = Math.max(0, Math.min(length, bytes.size - at))
      if (available > windowBytes) return bytes.read(at, available)
      const isInside = at >= window.at && at + available <= window.at + window.content.length
      if (!isInside) window = { at, content: await bytes.read(at, windowBytes) }
      return window.content.subarray(at - window.at, at - window.at + available)
    },
  }
}

const readDescriptor = promisify(read)
