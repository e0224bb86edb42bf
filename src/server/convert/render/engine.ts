import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import * as mupdf from 'mupdf'
import type { FailureReason } from '#shared/conversion.ts'
import type { DrawnPage, Opened, PageLines, Prepared, Size } from '../converter.ts'
import { cairoPage } from './cairo.ts'
import { replacementImages } from './four-inks.ts'
import { minify, TooComplex } from './minify.ts'
import { outlineOf } from './outline.ts'
import { type Frame, frameOf } from './page-frame.ts'
import { blankPage, picturePage } from './plain-pages.ts'
import { cleanText, linesOf, textScale } from './text.ts'
import { webp } from './webp.ts'

/** A document cannot be read; the reason is for people. */
export class Refused extends Error {
  readonly reason: FailureReason | 'noPage'

  constructor(reason: FailureReason | 'noPage', detail = '') {
    super(detail)
    this.reason = reason
  }
}

/** What the library says goes nowhere: warnings about a stranger's file interest nobody. */
export function silence(): void {
  mupdf.setLog(null)
}

export function openBook(book: Prepared): Opened {
  const held = hold(book)
  const { document } = held
  const pages = countPages(held)
  if (pages > mostPages) throw new Refused('tooManyPages', `${pages} pages`)
  return {
    pages,
    sizes: sizesOf(held, pages),
    outline: outlineOf(document, pages),
    title: metadata(document, 'info:Title'),
    author: metadata(document, 'info:Author'),
  }
}

/** A page drawn as well as it can be: as a drawing, by another program, as a picture, and at the very last blank. */
export async function drawPage(book: Prepared, number: number): Promise<DrawnPage> {
  const held = hold(book)
  const page = loadPage(held, number)
  if (!page) return { ...bookSize, svg: zipped(blankPage(bookSize)), lines: [] }
  const frame = frameOf(page.getBounds())
  const size = { width: frame.width, height: frame.height }
  const list = attempt(() => page.toDisplayList(true))
  try {
    const lines = list ? readLines(list, frame) : []
    const drawn = (list && drawing(held, list, frame)) ?? 'failed'
    if (typeof drawn !== 'string') return { ...size, svg: drawn, lines }
    const svg =
      (drawn === 'failed' && book.type === 'pdf' ? await byCairo(book.path, number, frame) : undefined) ??
      (list ? await asPicture(list, frame) : undefined) ??
      zipped(blankPage(size))
    return { ...size, svg, lines }
  } finally {
    list?.destroy()
    page.destroy()
  }
}

export function readPages(book: Prepared, from: number, to: number): PageLines[] {
  const held = hold(book)
  const pages: PageLines[] = []
  for (let number = from; number <= to; number++) {
    const page = loadPage(held, number)
    const frame = page ? frameOf(page.getBounds()) : { ...frameOf([0, 0, bookSize.width, bookSize.height]) }
    const list = page && attempt(() => page.toDisplayList(true))
    pages.push({ page: number, width: frame.width, height: frame.height, lines: list ? readLines(list, frame) : [] })
    list?.destroy()
    page?.destroy()
  }
  return pages
}

export async function takePicture(book: Prepared, number: number, width: number): Promise<Uint8Array> {
  const page = loadPage(hold(book), number)
  if (!page) return webp(blankPixels(bookSize, width))
  try {
    const frame = frameOf(page.getBounds())
    const list = attempt(() => page.toDisplayList(true))
    const pixels = list && attempt(() => pixelsOf(list, frame, width))
    list?.destroy()
    return await webp(pixels ?? blankPixels(frame, width))
  } finally {
    page.destroy()
  }
}

const mostPages = 20_000
const mostSizes = 5000
const heldDocuments = 4
const bookSize: Size = { width: 440, height: 622 }
const bookLetters = 13
/** Chinese wants room between its lines; the publisher's own style is kept otherwise. */
const bookStyle =
  '@page{margin:36pt 34pt}body{line-height:1.7}p{margin-top:.3em;margin-bottom:.3em}' +
  'pre,code,table{line-height:1.4}pre{white-space:pre-wrap}'
const rawBytes = 20_000_000
const zippedBytes = 3_000_000
const pictureWidth = 1400
const mostPixels = 24_000_000
const types = {
  pdf: 'application/pdf',
  epub: 'application/epub+zip',
  mobi: 'application/x-mobipocket-ebook',
} as const

interface Held {
  document: mupdf.Document
  glyphs: Map<number, Uint8Array>
  close(): void
}

/** Documents that are open, the one used last at the end. */
const open = new Map<string, Held>()

function hold(book: Prepared): Held {
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
  return { document: opened, glyphs: new Map(), close: () => opened.destroy() }
}

function isType(document: mupdf.Document, type: Prepared['type']): boolean {
  if (type === 'pdf') return document.isPDF()
  return (document.getMetaData('format') ?? '').toLowerCase().startsWith(type)
}

function countPages({ document }: Held): number {
  try {
    const pages = document.countPages()
    if (pages > 0) return pages
  } catch (error) {
    throw refusal(error)
  }
  throw new Refused(document.asPDF()?.wasRepaired() ? 'damaged' : 'empty', 'no pages')
}

function refusal(error: unknown): Error {
  rethrowFatal(error)
  if (error instanceof Refused) return error
  const detail = String(error)
  if (/number of pages/i.test(detail)) return new Refused('tooManyPages', detail)
  if (/DRM|encrypt|password/i.test(detail)) return new Refused('encrypted', detail)
  return new Refused('damaged', detail)
}

/** Nothing where the page exists but cannot be read. */
function loadPage(held: Held, number: number): mupdf.Page | undefined {
  const page = number >= 1 && Number.isInteger(number) ? attempt(() => held.document.loadPage(number - 1)) : undefined
  if (!page && !(number >= 1 && number <= countPages(held))) throw new Refused('noPage', `page ${number}`)
  return page
}

function sizesOf(held: Held, pages: number): Size[] {
  if (!held.document.isPDF()) return [bookSize]
  const sizes: Size[] = []
  const until = performance.now() + 5000
  let readable = 0
  for (let n = 1; n <= Math.min(pages, mostSizes) && performance.now() < until; n++) {
    const page = attempt(() => held.document.loadPage(n - 1))
    if (page) readable++
    // Not one of the first pages can be read: nothing is there to be shown.
    else if (readable === 0 && (n === pages || n === 10)) throw new Refused('damaged', 'no readable page')
    const { width, height } = page ? frameOf(page.getBounds()) : (sizes.at(-1) ?? { width: 595, height: 842 })
    sizes.push({ width, height })
    page?.destroy()
  }
  return sizes
}

function metadata(document: mupdf.Document, key: string): string {
  return cleanText(attempt(() => document.getMetaData(key)) ?? '').slice(0, 200)
}

function readLines(list: mupdf.DisplayList, { scale, matrix }: Frame) {
  const text = attempt(() => list.toStructuredText(''))
  if (!text) return []
  try {
    return linesOf(text.asJSON(textScale), { scale, left: matrix[4], top: matrix[5] })
  } finally {
    text.destroy()
  }
}

function drawing(held: Held, list: mupdf.DisplayList, frame: Frame): Uint8Array | 'failed' | 'tooComplex' {
  const buffer = new mupdf.Buffer()
  try {
    const writer = new mupdf.DocumentWriter(buffer, 'svg', 'text=path')
    const device = writer.beginPage([0, 0, frame.width, frame.height])
    list.run(device, frame.matrix)
    writer.endPage()
    writer.close()
    device.destroy()
    writer.destroy()
    const length = buffer.getLength()
    if (length > rawBytes) return 'tooComplex'
    // A copy: the library's memory moves when it grows, and replacing an image may make it grow.
    const bytes = Buffer.from(buffer.asUint8Array())
    const svg = zipped(minify(bytes, { ...frame, glyphs: held.glyphs, replaceImage: replacementImages(list) }))
    return svg.length > zippedBytes ? 'tooComplex' : svg
  } catch (error) {
    rethrowFatal(error)
    return error instanceof TooComplex ? 'tooComplex' : 'failed'
  } finally {
    buffer.destroy()
  }
}

async function byCairo(path: string, number: number, frame: Frame): Promise<Uint8Array | undefined> {
  const drawn = await cairoPage(path, number, rawBytes)
  if (!drawn) return undefined
  try {
    const view = { width: frame.width / frame.scale, height: frame.height / frame.scale }
    const replaceImage = () => {
      throw new TooComplex('an image in printing inks')
    }
    const svg = zipped(minify(drawn, { ...frame, view, glyphs: new Map(), replaceImage }))
    return svg.length > zippedBytes ? undefined : svg
  } catch {
    return undefined
  }
}

async function asPicture(list: mupdf.DisplayList, frame: Frame): Promise<Uint8Array | undefined> {
  const pixels = attempt(() => pixelsOf(list, frame, pictureWidth))
  return pixels && zipped(picturePage(frame, await webp(pixels)))
}

function pixelsOf(list: mupdf.DisplayList, frame: Frame, wanted: number) {
  const { width, height } = pixelSize(frame, wanted)
  const pixmap = new mupdf.Pixmap(mupdf.ColorSpace.DeviceRGB, [0, 0, width, height], false)
  try {
    pixmap.clear(255)
    const device = new mupdf.DrawDevice(mupdf.Matrix.identity, pixmap)
    const zoom = width / frame.width
    list.run(device, mupdf.Matrix.concat(frame.matrix, mupdf.Matrix.scale(zoom, zoom)))
    device.close()
    device.destroy()
    return { width, height, data: Uint8Array.from(pixmap.getPixels()) }
  } finally {
    pixmap.destroy()
  }
}

function blankPixels(size: Size, wanted: number) {
  const { width, height } = pixelSize(size, wanted)
  return { width, height, data: new Uint8Array(width * height * 3).fill(255) }
}

function pixelSize(size: Size, wanted: number): Size {
  const ratio = size.height / size.width
  const width = Math.max(1, Math.round(Math.min(wanted, Math.sqrt(mostPixels / ratio))))
  return { width, height: Math.max(1, Math.round(width * ratio)) }
}

function zipped(svg: string | Buffer): Uint8Array {
  return gzipSync(svg, { level: 6 })
}

/** The library's own complaints become nothing; what leaves it in disorder goes on. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    rethrowFatal(error)
    return undefined
  }
}

/** After these the library's memory can no longer be trusted: the process has to end. */
export function rethrowFatal(error: unknown): void {
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) throw error
}
