import type { FailureReason } from '#shared/conversion.ts'

/**
 * File in, pages out. Knows no database and no HTTP. Everything that reads a stranger's file runs in child processes
 * behind walls: no network, no other files, limits on time, memory, output and processes.
 */
export interface Converter {
  /** Looks at the bytes and the extension together: what it is, and how it will be shown. Throws `Unconvertible`. */
  probe(source: Source): Promise<Probe>
  /**
   * Makes what the renderer can open. PDFs and books are opened as they are; office files become a PDF, text, umd and
   * chm a book, written into `folder`. Throws `Unconvertible`.
   */
  prepare(source: Source, probe: Probe, folder: string, limits: PrepareLimits): Promise<Prepared>
  /** Counts pages and reads what the document says about itself. */
  open(book: Prepared, options?: Ask): Promise<Opened>
  /** One page, drawn and read. */
  page(book: Prepared, page: number, options?: Ask): Promise<DrawnPage>
  /** The lines of pages `from`..`to`, without drawing them. */
  lines(book: Prepared, from: number, to: number, options?: Ask): Promise<PageLines[]>
  /** One page as a WebP picture of the given width. */
  picture(book: Prepared, page: number, width: number, options?: Ask): Promise<Uint8Array>
  /** What is installed, for people who run the site. */
  tools(): Promise<Tool[]>
  close(): Promise<void>
}

export interface Source {
  path: string
  /** With its dot, in lower case: `.docx`. */
  ext: string
  size: number
}

/** What the content is, whatever it is called. */
export type Content = 'pdf' | 'office' | 'csv' | 'text' | 'epub' | 'mobi' | 'umd' | 'chm'

export interface Probe {
  content: Content
  /** The extension that tells a program what the bytes are: a `.wps` may hold a Word file. */
  as: string
}

export interface Limits {
  timeoutMs: number
  /** Nobody waits for it any more: whatever was started is ended, and it fails with the signal's reason. */
  signal?: AbortSignal
}

export interface PrepareLimits extends Limits {
  /** Told of a file with the first pages alone, in `folder`, if one is there long before the whole. */
  onFirstPages?: (first: Prepared) => void
}

export interface Prepared {
  path: string
  type: 'pdf' | 'epub' | 'mobi'
}

/** Pages people wait for go first: 0 a person is looking at, 1 a document's first pages, 2 all the rest. */
export interface Ask {
  urgency?: 0 | 1 | 2
  signal?: AbortSignal
}

export interface Opened {
  pages: number
  /** In points, one for each page; of a very long document the first 5000, the others are like the last of them. */
  sizes: Size[]
  outline: OutlineEntry[]
  /** Title and author that the file gives for itself: a stranger's text. */
  title: string
  author: string
}

export interface Size {
  width: number
  height: number
}

export interface OutlineEntry {
  title: string
  page: number
  /** 0 is the top. */
  level: number
}

export interface DrawnPage extends Size {
  /** Compressed with gzip, ready to be served. */
  svg: Uint8Array
  lines: Line[]
}

export interface PageLines extends Size {
  page: number
  lines: Line[]
}

/** Left, top, width, height in points from the page's top left corner, and what stands there. */
export type Line = readonly [x: number, y: number, width: number, height: number, text: string]

export interface Tool {
  name: string
  description: string
  cmd: string
  is_required: boolean
  is_installed: boolean
  version: string
  error: string
}

/** The document cannot be shown, and never will be as it is: trying again changes nothing unless `again` says so. */
export class Unconvertible extends Error {
  readonly reason: FailureReason
  /** What the programs said; for the log and for administrators. */
  readonly detail: string

  constructor(reason: FailureReason, detail = '') {
    super(reason)
    this.name = 'Unconvertible'
    this.reason = reason
    this.detail = detail
  }
}
