import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { withFile } from '../archives/bytes.ts'
import { chmToEpub } from './chm.ts'
import { type Format, type JobLimits, type OriginalFile, type RenderSource, Unconvertible } from '../converter.ts'
import { findWrapperFolder } from './epub-check.ts'
import { runTask } from './run-task.ts'
import type { Isolation } from '../sandbox/isolation.ts'
import { readZip } from '../archives/zip.ts'

export interface EpubJob {
  original: OriginalFile
  folder: string
  limits: JobLimits
  isolation: () => Promise<Isolation>
}

/** Text, Markdown, umd and chm become an EPUB; an EPUB is used as it is, unless its content lies in a wrapper folder. */
export const toEpub: Record<
  Extract<Format, 'text' | 'markdown' | 'umd' | 'chm' | 'epub'>,
  (job: EpubJob) => Promise<RenderSource>
> = {
  text: (job) => runEpubTask(job, 'text'),
  markdown: runMarkdownTask,
  umd: (job) => runEpubTask(job, 'umd'),
  chm: async (job) => {
    const target = await createTarget(job)
    await chmToEpub({ ...job, isolation: await job.isolation() }, target)
    return { path: target, type: 'epub' }
  },
  epub: async (job) => {
    const wrapper = await withFile(job.original.path, async (bytes) => findWrapperFolder(await readZip(bytes)))
    return wrapper ? runEpubTask(job, 'epub') : { path: job.original.path, type: 'epub' }
  },
}

/** The longest books take a few seconds. */
const maxMarkdownMs = 60_000
/** Of the time that the conversion has: the rest is for the file as plain text. */
const markdownShare = 0.25

/** A file that is too complex for the parser of Markdown is shown as it is written. */
async function runMarkdownTask(job: EpubJob): Promise<RenderSource> {
  const timeoutMs = Math.min(maxMarkdownMs, markdownShare * job.limits.timeoutMs)
  try {
    return await runEpubTask({ ...job, limits: { ...job.limits, timeoutMs } }, 'markdown')
  } catch (error) {
    if (job.limits.signal?.aborted || !isTooComplex(error)) throw error
    return runEpubTask(job, 'text')
  }
}

function isTooComplex(error: unknown): boolean {
  return error instanceof Unconvertible && ['timeout', 'memory', 'crashed', 'damaged'].includes(error.reason)
}

async function runEpubTask(job: EpubJob, task: 'text' | 'markdown' | 'umd' | 'epub'): Promise<RenderSource> {
  const { original, folder, limits } = job
  const target = await createTarget(job)
  await runTask({ task, original, folder, limits, target })
  return { path: target, type: 'epub' }
}

async function createTarget({ folder }: EpubJob): Promise<string> {
  await mkdir(folder, { recursive: true })
  return join(folder, 'document.epub')
}
