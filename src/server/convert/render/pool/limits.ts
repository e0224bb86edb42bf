export interface PoolLimits {
  /** For a page, an image, or a batch of pages of text. */
  pageTimeoutMs: number
  /** For opening a document, and for the first page of a reflowable one, which has to be laid out. */
  openTimeoutMs: number
  /** A process above this is killed at once. */
  maxMemoryBytes: number
  /** A process above either of these is replaced after its current request. */
  recycleMemoryBytes: number
  recyclePages: number
  /** The last idle process is stopped after this time, the others after a fifth of it. */
  idleMs: number
}

export const defaultLimits: PoolLimits = {
  pageTimeoutMs: 15_000,
  openTimeoutMs: 60_000,
  maxMemoryBytes: 700e6,
  recycleMemoryBytes: 450e6,
  recyclePages: 3000,
  idleMs: 300_000,
}
