import type { Sanitizer } from '../../articles/articles.sanitizer.ts'
import type { Extractor } from '../extract/extractor.ts'

/** What the crawler needs beside the context; made in the composition root. */
export interface SpiderDeps {
  extractor: Extractor
  sanitizer: Sanitizer
  /** For files that are being downloaded. */
  folder: string
}
