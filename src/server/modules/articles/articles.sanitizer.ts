import { Tinypool } from 'tinypool'
import { errors } from '#shared/errors.ts'
import { cleanArticle, findCover, findUploads, isEmpty, toSummary } from './articles.html.ts'

/** A sanitized article, and what is derived from it. */
export interface SanitizedArticle {
  content: string
  /** It has neither text nor media. */
  isEmpty: boolean
  summary: string
  cover: string
  /** The paths of the uploaded files that it shows or links to. */
  uploads: string[]
}

export interface SanitizeTask {
  source: string
  /** Of the site, if it has a domain. */
  origin: string
}

export interface Sanitizer {
  sanitize(task: SanitizeTask): Promise<SanitizedArticle>
  close(): Promise<void>
}

/** A longer text would hold up other requests. */
const maxInlineLength = 16_000
const idleMs = 30_000

/** Sanitizes long articles in a thread of its own, which exists only while there is work. */
export function openSanitizer(): Sanitizer {
  const pool = new Tinypool({
    filename: new URL('articles.sanitizer.worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleMs,
  })
  return {
    async sanitize(task) {
      if (task.source.length <= maxInlineLength) return sanitizeArticle(task)
      // An error would lose its class on the way between threads.
      const outcome = (await pool.run(task, { name: 'sanitizeInThread' })) as SanitizedArticle | { refusal: string }
      if ('refusal' in outcome) throw errors.request.invalid(outcome.refusal)
      return outcome
    },
    close: () => pool.destroy(),
  }
}

export function sanitizeArticle({ source, origin }: SanitizeTask): SanitizedArticle {
  const content = cleanArticle(source, origin)
  return {
    content,
    isEmpty: isEmpty(content),
    summary: toSummary(content),
    cover: findCover(content),
    uploads: findUploads(content),
  }
}
