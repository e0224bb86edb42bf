import { extractArticle } from './article.ts'
import { ExtractError, type ExtractReason } from './extract-error.ts'
import { extractPage } from './page.ts'
import { firstMatches } from './patterns.ts'
import type { ExtractedArticle, ExtractedPage, ExtractedSitemap, ExtractTask, MatchTask, SitemapTask } from './rule.ts'
import { extractSitemap } from './sitemap.ts'

export type Outcome<T> = { result: T } | { failure: ExtractReason }

/** Answers when the thread has started. */
export function ready(): void {}

export function page(task: ExtractTask): Outcome<ExtractedPage> {
  return attempt(() => extractPage(task))
}

export function article(task: ExtractTask): Outcome<ExtractedArticle> {
  return attempt(() => extractArticle(task))
}

export function sitemap(task: SitemapTask): Outcome<ExtractedSitemap> {
  return attempt(() => extractSitemap(task))
}

export function match({ urls, patterns }: MatchTask): Outcome<number[]> {
  return attempt(() =>
    firstMatches(
      patterns,
      urls.map((url) => new URL(url)),
    ),
  )
}

function attempt<T>(read: () => T): Outcome<T> {
  try {
    return { result: read() }
  } catch (error) {
    if (error instanceof ExtractError) return { failure: error.reason }
    // The stack is full, or a string too long.
    if (error instanceof RangeError) return { failure: 'too_complex' }
    throw error
  }
}
