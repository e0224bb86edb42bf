/** The content of a generated document. */
export interface Chapter {
  title: string
  paragraphs: readonly string[]
  /** Follows the paragraphs; the first row is its header. */
  table?: TableRows
}

export type TableRows = readonly (readonly string[])[]

export interface Slide {
  title: string
  lines: readonly string[]
}

export interface Manuscript {
  title?: string
  author?: string
  chapters?: readonly Chapter[]
}
