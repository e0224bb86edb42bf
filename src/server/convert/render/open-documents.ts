import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import * as mupdf from 'mupdf'
import type { RenderSource, Size } from '../converter.ts'
import { attempt, RenderFailure, rethrowFatal } from './failures.ts'
import { maxOpenDocuments } from './messages.ts'
import { createOutlineCache, type OutlineCache } from './svg/glyph-outlines.ts'

/** The page size for reflowable formats (EPUB, MOBI). */
export const reflowPageSize: Size = { width: 440, height: 622 }

/** An open document and the caches of its glyphs. */
export interface OpenDocument {
  document: mupdf.Document
  /** Compacted outlines of glyphs, by a hash of the path data that MuPDF writes for them. */
  shortGlyphs: Map<number, Uint8Array>
  outlines: OutlineCache
  close(): void
}

/** From an LRU cache of open documents, or opened now. */
export function getDocument(source: RenderSource): OpenDocument {
  const key = fileIdentity(source)
  const open = openDocuments.get(key) ?? openFile(source)
  openDocuments.delete(key)
  openDocuments.set(key, open)
  for (const [oldest, { close }] of openDocuments) {
    if (openDocuments.size <= maxOpenDocuments) break
    openDocuments.delete(oldest)
    close()
  }
  return open
}

export function countPages(document: mupdf.Document): number {
  try {
    const pages = document.countPages()
    if (pages > 0) return pages
  } catch (error) {
    throw toFailure(error)
  }
  throw new RenderFailure(document.asPDF()?.wasRepaired() ? 'damaged' : 'empty', 'no pages')
}

/** Undefined where the page exists but cannot be read. */
export function loadPage({ document }: OpenDocument, number: number): mupdf.Page | undefined {
  const page = number >= 1 && Number.isInteger(number) ? attempt(() => document.loadPage(number - 1)) : undefined
  if (!page && !(number >= 1 && number <= countPages(document))) throw new RenderFailure('noPage', `page ${number}`)
  return page
}

const reflowFontSize = 13
/** More line spacing, for Chinese text; the publisher's own styles are kept otherwise. */
const reflowStyle =
  '@page{margin:36pt 34pt}body{line-height:1.7}p{margin-top:.3em;margin-bottom:.3em}' +
  'pre,code,table{line-height:1.4}pre{white-space:pre-wrap}'
const types = {
  pdf: 'application/pdf',
  epub: 'application/epub+zip',
  mobi: 'application/x-mobipocket-ebook',
} as const

/** The least recently used first. */
const openDocuments = new Map<string, OpenDocument>()

/** A file that was replaced under the same name is another document. */
function fileIdentity({ path, type }: RenderSource): string {
  try {
    const { ino, size, mtimeMs } = statSync(path)
    return [type, path, ino, size, mtimeMs].join('\n')
  } catch (error) {
    throw new RenderFailure('missing', String(error))
  }
}

function openFile({ path, type }: RenderSource): OpenDocument {
  const descriptor = openSync(path, 'r')
  const size = fstatSync(descriptor).size
  if (size === 0) {
    closeSync(descriptor)
    throw new RenderFailure('empty')
  }
  // Read on demand: a large file would take up much of the memory limit.
  const stream = new mupdf.Stream({
    fileSize: () => size,
    read: (memory, offset, length, position) => readSync(descriptor, memory, offset, length, position),
    close: () => closeSync(descriptor),
  })
  let document: mupdf.Document | undefined
  try {
    document = mupdf.Document.openDocument(stream, types[type])
    if (document.needsPassword()) throw new RenderFailure('encrypted')
    if (!isType(document, type)) throw new RenderFailure('mismatch', document.getMetaData('format'))
    if (type !== 'pdf') {
      document.style(true, reflowStyle)
      document.layout(reflowPageSize.width, reflowPageSize.height, reflowFontSize)
    }
  } catch (error) {
    document?.destroy()
    throw toFailure(error)
  } finally {
    stream.destroy()
  }
  const opened = document
  const outlines = createOutlineCache()
  const close = () => {
    outlines.close()
    opened.destroy()
  }
  return { document: opened, shortGlyphs: new Map(), outlines, close }
}

function isType(document: mupdf.Document, type: RenderSource['type']): boolean {
  if (type === 'pdf') return document.isPDF()
  return (document.getMetaData('format') ?? '').toLowerCase().startsWith(type)
}

function toFailure(error: unknown): Error {
  rethrowFatal(error)
  if (error instanceof RenderFailure) return error
  const detail = String(error)
  if (/number of pages/i.test(detail)) return new RenderFailure('tooManyPages', detail)
  if (/DRM|encrypt|password/i.test(detail)) return new RenderFailure('encrypted', detail)
  return new RenderFailure('damaged', detail)
}
