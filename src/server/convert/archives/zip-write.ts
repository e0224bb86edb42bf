import { open } from 'node:fs/promises'
import { Zip, ZipPassThrough } from 'fflate'
import { Unconvertible } from '../converter.ts'

type Chunk = string | Uint8Array
export type AddEntry = (name: string, content: Chunk | Iterable<Chunk> | AsyncIterable<Chunk>) => Promise<void>

const defaultMaxBytes = 500e6
const flushBytes = 262_144

/** Streams an archive to a file. Nothing is compressed: our own processes read it, once or twice. */
export async function writeZip(
  path: string,
  addEntries: (add: AddEntry) => Promise<void>,
  maxBytes = defaultMaxBytes,
): Promise<void> {
  const file = await open(path, 'w')
  try {
    let pending: Uint8Array[] = []
    let pendingBytes = 0
    let writtenBytes = 0
    const zip = new Zip((error, chunk) => {
      if (error) throw error
      pending.push(chunk)
      pendingBytes += chunk.length
    })
    const flush = async () => {
      writtenBytes += pendingBytes
      if (writtenBytes > maxBytes) throw new Unconvertible('tooLarge', `more than ${maxBytes} bytes`)
      for (const chunk of pending) await file.write(chunk)
      pending = []
      pendingBytes = 0
    }
    await addEntries(async (name, content) => {
      const entry = new ZipPassThrough(name)
      zip.add(entry)
      const chunks = typeof content === 'string' || content instanceof Uint8Array ? [content] : content
      for await (const chunk of chunks) {
        entry.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
        if (pendingBytes > flushBytes) await flush()
      }
      entry.push(new Uint8Array(), true)
    })
    zip.end()
    await flush()
  } finally {
    await file.close()
  }
}
