import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type JobLimits, type RenderSource, Unconvertible } from '../../converter.ts'
import { runTask } from '../run-task.ts'

/** As JSON, of a very long book. */
const maxBytes = 200e6

const tasks = { epub: 'blocks', mobi: 'mobi-blocks' } as const

/** The text of a book with its structure, read in a sandbox; undefined for a PDF. */
export async function extractBlocks(source: RenderSource, folder: string, limits: JobLimits): Promise<unknown> {
  if (source.type === 'pdf') return undefined
  await mkdir(folder, { recursive: true })
  const own = await mkdtemp(join(folder, 'book-'))
  try {
    const target = join(own, 'blocks.json')
    const { size } = await stat(source.path)
    const original = { path: source.path, ext: `.${source.type}`, size }
    await runTask({ task: tasks[source.type], original, folder: own, limits, target })
    if ((await stat(target)).size > maxBytes) throw new Unconvertible('tooLarge', 'blocks')
    return JSON.parse(await readFile(target, 'utf8'))
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}
