import type { FailureReason } from '#shared/conversion.ts'
import type { StoredIndex } from './tables/table-file.ts'

/**
 * Turns an uploaded file into pages. Knows no database and no HTTP. Untrusted files are parsed in sandboxed child
 * processes only: no network, no other files, and limits on time, memory, disk and processes.
 */
export interface Converter {
  /** Detects the format from the bytes and the extension together. Throws `Unconvertible`. */
  probe(original: OriginalFile): Promise<Probe>
  /** The extension that fits the content, whatever the file is called; undefined if it is none that can be shown. */
  detectExt(file: UnnamedFile): Promise<string | undefined>
  /**
   * Makes a file that the renderer can open. PDF, EPUB and MOBI are used as they are; office files and tables become a
   * PDF, text, Markdown, umd and chm an EPUB, written into `folder`. Throws `Unconvertible`.
   */
  prepare(original: OriginalFile, probe: Probe, folder: string, options: PrepareOptions): Promise<RenderSource>
  /** Page count, page sizes, outline and metadata. */
  open(source: RenderSource, options?: RenderOptions): Promise<DocumentInfo>
  /** One page as SVG. */
  renderPage(source: RenderSource, page: number, options?: RenderOptions): Promise<RenderedPage>
  /** The lines of text of pages `from` to `to`, without rendering them; their margins on request. */
  extractLines(source: RenderSource, from: number, to: number, options?: ExtractOptions): Promise<PageLines[]>
  /**
   * The text of a book with its own structure, in order and without pages; undefined for a PDF, which has none. What an
   * untrusted file became: to be checked.
   */
  extractBlocks(source: RenderSource, limits: JobLimits): Promise<unknown>
  /** One page as a WebP image of the given width. */
  renderImage(source: RenderSource, page: number, width: number, options?: RenderOptions): Promise<PageImage>
  /**
   * The first page as a WebP image of the given width; of a page that is mostly white the upper part, enlarged. Undefined
   * for an empty page.
   */
  renderCover(source: RenderSource, width: number, options?: RenderOptions): Promise<PageImage | undefined>
  /** The cells of a spreadsheet as they are shown in it, in a file in `folder`; undefined for other formats. */
  extractTable(original: OriginalFile, probe: Probe, folder: string, limits: JobLimits): Promise<TableFile | undefined>
  /** The external programs and libraries, for the administrator's dashboard. */
  tools(): Promise<Tool[]>
  close(): Promise<void>
}

export interface PageImage {
  webp: Uint8Array
  /** The main colour as #rrggbb; empty for a picture without colours. */
  tint: string
}

/** The file as it was uploaded. */
export interface OriginalFile {
  path: string
  /** With its dot, in lower case: `.docx`. */
  ext: string
  size: number
}

export interface UnnamedFile {
  path: string
  /** Plain text has no signature: it is taken for text only if nothing says that it is something else. */
  mayBeText: boolean
}

/** By content, whatever the extension says. */
export type Format = 'pdf' | 'office' | 'csv' | 'text' | 'markdown' | 'epub' | 'mobi' | 'umd' | 'chm'

export interface Probe {
  format: Format
  /** The extension that fits the content: a `.wps` may hold a Word file. */
  ext: string
}

export interface JobLimits {
  timeoutMs: number
  /** Kills the processes of the job, which then fails with the signal's reason. */
  signal?: AbortSignal
}

export interface PrepareOptions extends JobLimits {
  /** Called with a PDF of the first pages, in `folder`, if it is ready well before the whole document. */
  onFirstPages?: (source: RenderSource) => void
}

/** The file that pages are rendered from. */
export interface RenderSource {
  path: string
  type: 'pdf' | 'epub' | 'mobi'
}

/** Slices of rows, and where they are. */
export interface TableFile extends StoredIndex {
  path: string
}

export interface RenderOptions {
  /** `FirstPages` by default. */
  priority?: RenderPriority
  signal?: AbortSignal
}

export interface ExtractOptions extends RenderOptions {
  withMargins?: boolean
}

/** The lower goes first. */
export const RenderPriority = {
  /** A reader waits for the page. */
  Reader: 0,
  /** The first pages of a new document. */
  FirstPages: 1,
  Background: 2,
} as const
export type RenderPriority = (typeof RenderPriority)[keyof typeof RenderPriority]

export interface DocumentInfo {
  pages: number
  /** In points, one for each page. A very long document has the first 5000; the others are like the last of them. */
  sizes: Size[]
  outline: OutlineEntry[]
  /** Title and author from the file's metadata: untrusted text. */
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

export interface RenderedPage extends Size {
  /** Compressed with gzip, ready to be served. */
  svg: Uint8Array
}

export interface PageLines extends Size {
  page: number
  lines: Line[]
  /** Not known where they were not asked for, or could not be measured. */
  margins?: Margins
}

/** The empty edges of a page, as fractions of its width and height; 1 on each side of a blank page. */
export type Margins = readonly [left: number, top: number, right: number, bottom: number]

/**
 * Position and size in points from the page's top left corner, and the text. A line of several runs has for each of them its
 * length, the gap before it and its width in tenths of a point (`render/text/runs.ts`). A line that is not level has its angle
 * (degrees, clockwise), length and thickness; it shares its middle with the box.
 */
export type Line = readonly [
  x: number,
  y: number,
  width: number,
  height: number,
  text: string,
  runs?: readonly number[],
  slant?: readonly [angle: number, length: number, thickness: number],
]

export interface Tool {
  name: string
  description: string
  cmd: string
  is_required: boolean
  is_installed: boolean
  version: string
  error: string
}

/** The document cannot be shown; `failureReasons[reason].retried` says whether another attempt may succeed. */
export class Unconvertible extends Error {
  readonly reason: FailureReason
  /** Output of the programs, for the log and for administrators. */
  readonly detail: string

  constructor(reason: FailureReason, detail = '') {
    super(reason)
    this.name = 'Unconvertible'
    this.reason = reason
    this.detail = detail
  }
}
