import type { Bytes } from './bytes.ts'
import { writeZip } from './zip-write.ts'
import { readEntry, readZip, streamEntry } from './zip.ts'

export interface Change {
  /** The new name; undefined leaves the entry out. */
  name: (name: string) => string | undefined
  /** Entries to hand over as a whole, and what becomes of them. */
  edit?: { when: (name: string, size: number) => boolean; how: (content: Buffer) => Buffer }
}

/** Packs an archive anew with some changes, an entry at a time, without compressing it. */
export async function repackZip(from: Bytes, to: string, change: Change): Promise<void> {
  await writeZip(to, async (add) => {
    for (const entry of await readZip(from)) {
      const name = change.name(entry.name)
      if (!name || name.endsWith('/')) continue
      if (change.edit?.when(entry.name, entry.size)) {
        const limit = Math.max(entry.size, entry.packed)
        await add(name, change.edit.how(await readEntry(from, entry, { limit })))
      } else {
        await add(name, streamEntry(from, entry))
      }
    }
  })
}
