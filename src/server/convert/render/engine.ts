import * as mupdf from 'mupdf'
import type { DrawnPage, Opened, PageLines, Prepared, Size } from '../converter.ts'
import { asPicture, byCairo, drawing, zipped } from './drawing.ts'
import { attempt, Refused } from './failures.ts'
import { bookSize, countPages, type Held, hold, loadPage } from './open-documents.ts'
import { outlineOf } from './outline.ts'
import { type Frame, frameOf } from './page-frame.ts'
import { blankPixels, pixelsOf } from './pixels.ts'
import { blankPage } from './plain-pages.ts'
import { cleanText, linesOf, textScale } from './text.ts'
import { webp } from './webp.ts'

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
  const text = attempt(() => list.toStructuredText('preserve-whitespace'))
  if (!text) return []
  try {
    return linesOf(text.asJSON(textScale), { scale, left: matrix[4], top: matrix[5] })
  } finally {
    text.destroy()
  }
}
