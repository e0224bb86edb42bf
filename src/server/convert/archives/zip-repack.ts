import type { ByteReader } from './bytes.ts'
import { writeZip } from './zip-write.ts'
import { readEntry, readZip, streamEntry } from './zip.ts'

export interface RepackOptions {
  /** The new name; undefined leaves the entry out. */
  rename: (name: string) => string | undefined
  /** Replaces the content of entries that match. */
  transform?: { matches: (name: string, size: number) => boolean; apply: (content: Buffer) => Buffer }
}

/** Copies an archive with some changes, entry by entry, without compression. */
export async function repackZip(from: ByteReader, to: string, { rename, transform }: RepackOptions): Promise<void> {
  await writeZip(to, async (add) => {
    for (const entry of await readZip(from)) {
      const name = rename(entry.name)
      if (!name || name.endsWith('/')) continue
      if (transform?.matches(entry.name, entry.size)) {
        const maxBytes = Math.max(entry.size, entry.packedSize)
        await add(name, transform.apply(await readEntry(from, entry, { maxBytes })))
      } else {
        await add(name, streamEntry(from, entry))
      }
    }
  })
}
