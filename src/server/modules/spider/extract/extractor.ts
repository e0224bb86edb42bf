import { Tinypool } from 'tinypool'
import { keyedQueue } from '../../../concurrency/keyed-queue.ts'
import type * as worker from './extract.worker.ts'
import { ExtractError } from './extract-error.ts'
import type { ExtractedArticle, ExtractedPage, ExtractedSitemap, ExtractTask, MatchTask, SitemapTask } from './rule.ts'

/** Fails with an `ExtractError` for what cannot be read within the limits. */
export interface Extractor {
  page(task: ExtractTask): Promise<ExtractedPage>
  article(task: ExtractTask): Promise<ExtractedArticle>
  sitemap(task: SitemapTask): Promise<ExtractedSitemap>
  /** For each address the place of the first pattern that matches it; -1 for none. */
  match(task: MatchTask): Promise<number[]>
  close(): Promise<void>
}

export interface ExtractorLimits {
  /** For one task, once the thread is ready for it. */
  timeMs: number
  memoryMb: number
}

const defaultLimits: ExtractorLimits = { timeMs: 5_000, memoryMb: 256 }
const idleMs = 30_000
/** To start the thread; only a machine that is out of reach takes longer. */
const startMs = 60_000

/**
 * Reads pages in a thread of its own, which exists only while there is work. Pages, selectors and regular expressions
 * come from others and may be made to take for ever: a thread that exceeds a limit is ended, and the next task gets a new
 * one.
 */
export function openExtractor({ timeMs, memoryMb }: ExtractorLimits = defaultLimits): Extractor {
  const pool = new Tinypool({
    filename: new URL('extract.worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleMs,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  })
  // The time of a task must not run while it waits for another.
  const queue = keyedQueue(1)
  let isClosed = false

  const run = async <T>(name: keyof typeof worker, task: unknown, limitMs: number): Promise<T> => {
    // The pool itself would start another thread.
    if (isClosed) throw new Error('the extractor is closed')
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), limitMs)
    try {
      return (await pool.run(task, { name, signal: limit.signal })) as T
    } catch (error) {
      if (limit.signal.aborted) throw new ExtractError('too_slow', { cause: error })
      if (isOutOfMemory(error)) throw new ExtractError('too_complex', { cause: error })
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
  const extract = <T>(name: keyof typeof worker, task: unknown): Promise<T> =>
    queue.runForKey(0, async () => {
      await run('ready', undefined, startMs)
      // An error would lose its class on the way between threads.
      const outcome = await run<worker.Outcome<T>>(name, task, timeMs)
      if ('failure' in outcome) throw new ExtractError(outcome.failure)
      return outcome.result
    })

  return {
    page: (task) => extract('page', task),
    article: (task) => extract('article', task),
    sitemap: (task) => extract('sitemap', task),
    match: (task) => extract('match', task),
    close() {
      isClosed = true
      return pool.destroy()
    },
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
