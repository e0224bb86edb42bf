import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withFile } from './bytes.ts'
import { chmToEpub } from './chm.ts'
import { type Content, type Limits, type Prepared, type Source, Unconvertible } from './converter.ts'
import { decodeText } from './decode.ts'
import { writeEpub } from './epub.ts'
import { wrapperOf } from './epub-check.ts'
import { chaptersOf } from './text-book.ts'
import { readUmd } from './umd.ts'
import type { Walls } from './walls.ts'
import { repackZip } from './zip-repack.ts'
import { readZip } from './zip.ts'

const textLimit = 64e6

export interface BookJob {
  source: Source
  folder: string
  limits: Limits
  walls: () => Promise<Walls>
}

/** Text, umd and chm become a book; a book is left as it is, unless somebody packed the folder around it. */
export const toBook: Record<Extract<Content, 'text' | 'umd' | 'chm' | 'epub'>, (job: BookJob) => Promise<Prepared>> = {
  text: async (job) => {
    if (job.source.size > textLimit) throw new Unconvertible('tooLarge', 'text')
    const { text } = decodeText(await readFile(job.source.path))
    if (!text.trim()) throw new Unconvertible('empty', 'text')
    const path = await place(job)
    await writeEpub(path, { title: '', author: '', chapters: chaptersOf(text) })
    return { path, type: 'epub' }
  },
  umd: async (job) => {
    if (job.source.size > textLimit) throw new Unconvertible('tooLarge', 'umd')
    const book = readUmd(await readFile(job.source.path))
    const path = await place(job)
    await writeEpub(path, book)
    return { path, type: 'epub' }
  },
  chm: async (job) => {
    const path = await place(job)
    await chmToEpub({ ...job, walls: await job.walls() }, path)
    return { path, type: 'epub' }
  },
  epub: async (job) => {
    const wrapper = await withFile(job.source.path, async (bytes) => wrapperOf(await readZip(bytes)))
    if (!wrapper) return { path: job.source.path, type: 'epub' }
    const path = await place(job)
    await repackZip(job.source.path, path, {
      name: (name) => (name.startsWith(wrapper) ? name.slice(wrapper.length) : undefined),
    })
    return { path, type: 'epub' }
  },
}

async function place({ folder }: BookJob): Promise<string> {
  await mkdir(folder, { recursive: true })
  return join(folder, 'document.epub')
}
