import { open } from 'node:fs/promises'
import { Zip, ZipPassThrough } from 'fflate'
import { Unconvertible } from '../converter.ts'

type Piece = string | Uint8Array
export type AddEntry = (name: string, content: Piece | Iterable<Piece> | AsyncIterable<Piece>) => Promise<void>

const writtenLimit = 500e6
const atOnce = 262_144

/** Writes an archive a piece at a time. Nothing is compressed: it is read once or twice, and by us. */
export async function writeZip(
  path: string,
  fill: (add: AddEntry) => Promise<void>,
  limit = writtenLimit,
): Promise<void> {
  const file = await open(path, 'w')
  try {
    let ready: Uint8Array[] = []
    let waiting = 0
    let written = 0
    const zip = new Zip((error, chunk) => {
      if (error) throw error
      ready.push(chunk)
      waiting += chunk.length
    })
    const flush = async () => {
      written += waiting
      if (written > limit) throw new Unconvertible('tooLarge', `more than ${limit} bytes`)
      for (const chunk of ready) await file.write(chunk)
      ready = []
      waiting = 0
    }
    await fill(async (name, content) => {
      const entry = new ZipPassThrough(name)
      zip.add(entry)
      const pieces = typeof content === 'string' || content instanceof Uint8Array ? [content] : content
      for await (const piece of pieces) {
        entry.push(typeof piece === 'string' ? Buffer.from(piece) : piece)
        if (waiting > atOnce) await flush()
      }
      entry.push(new Uint8Array(), true)
    })
    zip.end()
    await flush()
  } finally {
    await file.close()
  }
}
