import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import * as mupdf from 'mupdf'
import type { Prepared, Size } from '../converter.ts'
import { attempt, Refused, rethrowFatal } from './failures.ts'
import { openOutlines, type Outlines } from './svg/glyph-outlines.ts'

/** Pages of a book that has no pages of its own. */
export const bookSize: Size = { width: 440, height: 622 }

/** A document that is open, and what is known about its glyphs. */
export interface Held {
  document: mupdf.Document
  /** Outlines shortened before, by what they were printed as. */
  glyphs: Map<number, Uint8Array>
  outlines: Outlines
  close(): void
}

export function hold(book: Prepared): Held {
  const key = identity(book)
  const held = open.get(key) ?? openFile(book)
  open.delete(key)
  open.set(key, held)
  for (const [other, { close }] of open) {
    if (open.size <= heldDocuments) break
    open.delete(other)
    close()
  }
  return held
}

export function countPages({ document }: Held): number {
  try {
    const pages = document.countPages()
    if (pages > 0) return pages
  } catch (error) {
    throw refusal(error)
  }
  throw new Refused(document.asPDF()?.wasRepaired() ? 'damaged' : 'empty', 'no pages')
}

/** Nothing where the page exists but cannot be read. */
export function loadPage(held: Held, number: number): mupdf.Page | undefined {
  const page = number >= 1 && Number.isInteger(number) ? attempt(() => held.document.loadPage(number - 1)) : undefined
  if (!page && !(number >= 1 && number <= countPages(held))) throw new Refused('noPage', `page ${number}`)
  return page
}

const heldDocuments = 4
const bookLetters = 13
/** Chinese wants room between its lines; the publisher's own style is kept otherwise. */
const bookStyle =
  '@page{margin:36pt 34pt}body{line-height:1.7}p{margin-top:.3em;margin-bottom:.3em}' +
  'pre,code,table{line-height:1.4}pre{white-space:pre-wrap}'
const types = {
  pdf: 'application/pdf',
  epub: 'application/epub+zip',
  mobi: 'application/x-mobipocket-ebook',
} as const

/** Documents that are open, the one used last at the end. */
const open = new Map<string, Held>()

/** A file written anew under the same name is another document. */
function identity({ path, type }: Prepared): string {
  try {
    const { ino, size, mtimeMs } = statSync(path)
    return [type, path, ino, size, mtimeMs].join('\n')
  } catch (error) {
    throw new Refused('missing', String(error))
  }
}

function openFile({ path, type }: Prepared): Held {
  const file = openSync(path, 'r')
  const size = fstatSync(file).size
  if (size === 0) {
    closeSync(file)
    throw new Refused('empty')
  }
  // Read where it lies: a copy of a large file would count twice against the memory we may use.
  const stream = new mupdf.Stream({
    fileSize: () => size,
    read: (memory, offset, length, position) => readSync(file, memory, offset, length, position),
    close: () => closeSync(file),
  })
  let document: mupdf.Document | undefined
  try {
    document = mupdf.Document.openDocument(stream, types[type])
    if (document.needsPassword()) throw new Refused('encrypted')
    if (!isType(document, type)) throw new Refused('mismatch', document.getMetaData('format'))
    if (type !== 'pdf') {
      document.style(true, bookStyle)
      document.layout(bookSize.width, bookSize.height, bookLetters)
    }
  } catch (error) {
    document?.destroy()
    throw refusal(error)
  } finally {
    stream.destroy()
  }
  const opened = document
  const outlines = openOutlines()
  const close = () => {
    outlines.close()
    opened.destroy()
  }
  return { document: opened, glyphs: new Map(), outlines, close }
}

function isType(document: mupdf.Document, type: Prepared['type']): boolean {
  if (type === 'pdf') return document.isPDF()
  return (document.getMetaData('format') ?? '').toLowerCase().startsWith(type)
}

function refusal(error: unknown): Error {
  rethrowFatal(error)
  if (error instanceof Refused) return error
  const detail = String(error)
  if (/number of pages/i.test(detail)) return new Refused('tooManyPages', detail)
  if (/DRM|encrypt|password/i.test(detail)) return new Refused('encrypted', detail)
  return new Refused('damaged', detail)
}
