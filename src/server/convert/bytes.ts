import { open } from 'node:fs/promises'

/** Bytes that are read a piece at a time: a file of any size is never in memory as a whole. */
export interface Bytes {
  size: number
  /** Shorter than asked for at the end. */
  read(at: number, length: number): Promise<Buffer>
}

export async function withFile<T>(path: string, use: (bytes: Bytes) => Promise<T>): Promise<T> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    return await use({
      size,
      read: async (at, length) => {
        const wanted = Math.max(0, Math.min(length, size - at))
        const { buffer, bytesRead } = await file.read(Buffer.alloc(wanted), 0, wanted, at)
        return buffer.subarray(0, bytesRead)
      },
    })
  } finally {
    await file.close()
  }
}

export function bytesOf(buffer: Buffer): Bytes {
  return { size: buffer.length, read: async (at, length) => buffer.subarray(at, at + length) }
}
