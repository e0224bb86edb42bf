import type { Ctx } from '#server/context.ts'

/** What a conversion did: it began, ended well or badly, or goes back to the queue. */
export type ConversionEvent = 'start' | 'succeed' | 'fail' | 'interrupt'

/** How many pages a content has, and the size of the first, in points. */
export interface PageShape {
  pages: number
  width: number
  height: number
}

/** What uses renditions follows them through this: renditions themselves know no document. */
export interface RenditionObserver {
  /** Called in the transaction that changes the rendition; `shape` is given with `succeed`. */
  moved(ctx: Ctx, hash: string, event: ConversionEvent, shape?: PageShape): Promise<void>
  /** Whether anything still refers to the content. */
  isUsed(ctx: Ctx, hash: string): Promise<boolean>
}
