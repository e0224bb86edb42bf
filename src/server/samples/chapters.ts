/** How makers are given what they write. */
export interface Chapter {
  title: string
  paragraphs: readonly string[]
  /** Comes after the paragraphs; the first row is its head. */
  table?: Rows
}

export type Rows = readonly (readonly string[])[]

export interface Slide {
  title: string
  lines: readonly string[]
}

export interface Written {
  title?: string
  author?: string
  chapters?: readonly Chapter[]
}
