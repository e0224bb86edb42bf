import type { SpiderFailure } from '#shared/spider.ts'

export type ExtractReason = Extract<
  SpiderFailure,
  'too_slow' | 'too_complex' | 'too_large' | 'not_a_page' | 'not_a_sitemap' | 'bad_rule'
>

export class ExtractError extends Error {
  readonly reason: ExtractReason

  constructor(reason: ExtractReason, options?: ErrorOptions) {
    super(`extraction failed: ${reason}`, options)
    this.reason = reason
  }
}
