import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { withFile } from '../archives/bytes.ts'
import { chmToEpub } from './chm.ts'
import type { Content, Limits, Prepared, Source } from '../converter.ts'
import { wrapperOf } from './epub-check.ts'
import { prepareApart } from './preparation.ts'
import type { Walls } from '../sandbox/isolation.ts'
import { readZip } from '../archives/zip.ts'

export interface BookJob {
  source: Source
  folder: string
  limits: Limits
  walls: () => Promise<Walls>
}

/** Text, umd and chm become a book; a book is left as it is, unless somebody packed the folder around it. */
export const toBook: Record<Extract<Content, 'text' | 'umd' | 'chm' | 'epub'>, (job: BookJob) => Promise<Prepared>> = {
  text: (job) => made(job, (target) => prepareApart({ ...job, task: 'text', target })),
  umd: (job) => made(job, (target) => prepareApart({ ...job, task: 'umd', target })),
  chm: (job) => made(job, async (target) => chmToEpub({ ...job, walls: await job.walls() }, target)),
  epub: async (job) => {
    const wrapper = await withFile(job.source.path, async (bytes) => wrapperOf(await readZip(bytes)))
    if (!wrapper) return { path: job.source.path, type: 'epub' }
    return made(job, (target) => prepareApart({ ...job, task: 'epub', target }))
  },
}

async function made({ folder }: BookJob, make: (target: string) => Promise<void>): Promise<Prepared> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'document.epub')
  await make(path)
  return { path, type: 'epub' }
}
