import { open } from 'node:fs/promises'
import { Zip, ZipPassThrough } from 'fflate'
import { withFile } from './bytes.ts'
import { readEntry, readZip, streamEntry } from './zip.ts'

export interface Change {
  /** The new name; undefined leaves the entry out. */
  name: (name: string) => string | undefined
  /** Entries to hand over as a whole, and what becomes of them. */
  edit?: { when: (name: string, size: number) => boolean; how: (content: Buffer) => Buffer }
}

/** Packs an archive anew with some changes, an entry at a time, without compressing it. */
export async function repackZip(from: string, to: string, change: Change): Promise<void> {
  const file = await open(to, 'w')
  try {
    const ready: Uint8Array[] = []
    const zip = new Zip((error, chunk) => {
      if (error) throw error
      ready.push(chunk)
    })
    const flush = async () => {
      for (const chunk of ready.splice(0)) await file.write(chunk)
    }
    await withFile(from, async (bytes) => {
      for (const entry of await readZip(bytes)) {
        const name = change.name(entry.name)
        if (!name || name.endsWith('/')) continue
        const packed = new ZipPassThrough(name)
        zip.add(packed)
        if (change.edit?.when(entry.name, entry.size)) {
          packed.push(change.edit.how(await readEntry(bytes, entry, entry.size)), true)
        } else {
          for await (const chunk of streamEntry(bytes, entry)) {
            packed.push(chunk)
            await flush()
          }
          packed.push(new Uint8Array(), true)
        }
        await flush()
      }
      zip.end()
      await flush()
    })
  } finally {
    await file.close()
  }
}
