import type { FailureReason } from '#shared/conversion.ts'
import type { DrawnPage, Opened, PageLines, Prepared } from '../converter.ts'

/** What a renderer is asked. Pages count from 1. */
export interface Questions {
  open: { book: Prepared }
  page: { book: Prepared; page: number }
  lines: { book: Prepared; from: number; to: number }
  picture: { book: Prepared; page: number; width: number }
}

export interface Answers {
  open: Opened
  page: DrawnPage
  lines: PageLines[]
  picture: Uint8Array
}

export type Kind = keyof Questions

export type Request = { [K in Kind]: { kind: K } & Questions[K] }[Kind]

/** `noPage`: the document has fewer pages than that. */
export type Reply = { value: Answers[Kind] } | { failed: FailureReason | 'noPage'; detail: string }

/** Said once when a renderer can take its first request. */
export const ready = 'ready'
