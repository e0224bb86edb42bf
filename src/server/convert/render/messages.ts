import type { FailureReason } from '#shared/conversion.ts'
import type { DocumentInfo, PageImage, PageLines, RenderedPage, RenderSource } from '../converter.ts'

/** The requests to a renderer process. Pages count from 1. */
export interface RequestParams {
  open: { source: RenderSource }
  page: { source: RenderSource; page: number }
  lines: { source: RenderSource; from: number; to: number; withMargins: boolean }
  image: { source: RenderSource; page: number; width: number }
  cover: { source: RenderSource; width: number }
}

export interface Results {
  open: DocumentInfo
  page: RenderedPage
  lines: PageLines[]
  image: PageImage
  cover: PageImage | undefined
}

export type RequestKind = keyof RequestParams

export type Request = { [K in RequestKind]: { kind: K } & RequestParams[K] }[RequestKind]

/** `noPage`: the document has fewer pages than that. */
export type Reply = { value: Results[RequestKind] } | { failed: FailureReason | 'noPage'; detail: string }

/** Sent once, when a renderer can take its first request. */
export const ready = 'ready'

/** The size of a renderer's cache of open documents. */
export const maxOpenDocuments = 4
