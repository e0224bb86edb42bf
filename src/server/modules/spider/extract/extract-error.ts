export type ExtractReason =
  /** It took longer than the time limit. */
  | 'too_slow'
  /** It needed more memory or a deeper stack than a page may. */
  | 'too_complex'
  /** A compressed sitemap is larger than sitemaps may be. */
  | 'too_large'
  | 'not_html'
  | 'not_sitemap'
  | 'bad_pattern'
  | 'bad_selector'

export class ExtractError extends Error {
  readonly reason: ExtractReason

  constructor(reason: ExtractReason, options?: ErrorOptions) {
    super(`extraction failed: ${reason}`, options)
    this.reason = reason
  }
}
