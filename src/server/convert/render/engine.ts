import * as mupdf from 'mupdf'
import type { DocumentInfo, Margins, PageImage, PageLines, RenderedPage, RenderSource, Size } from '../converter.ts'
import { attempt, RenderFailure } from './failures.ts'
import { blankPage } from './fallback-pages.ts'
import { findCoverArea } from './cover-area.ts'
import { measureMargins, noMargins, scanPage } from './margins.ts'
import { countPages, getDocument, loadPage, reflowPageSize } from './open-documents.ts'
import { readOutline } from './outline.ts'
import { cutFrame, type PageFrame, toPageFrame } from './page-frame.ts'
import { compressSvg, renderAsImage, renderSvg, renderWithCairo } from './page-svg.ts'
import { blankPixels, rasterize } from './pixels.ts'
import { readRawLines } from './text/structured-text.ts'
import { cleanText, placeLines } from './text/lines.ts'
import { findTint } from './tint.ts'
import { encodeWebp, type Pixels } from './webp.ts'

/** Drops MuPDF's warnings: untrusted files cause any number of them. */
export function silenceLog(): void {
  mupdf.setLog(null)
}

export function openDocument(source: RenderSource): DocumentInfo {
  const { document } = getDocument(source)
  const pages = countPages(document)
  if (pages > maxPages) throw new RenderFailure('tooManyPages', `${pages} pages`)
  return {
    pages,
    sizes: readSizes(document, pages),
    outline: readOutline(document, pages),
    title: readMetadata(document, 'info:Title'),
    author: readMetadata(document, 'info:Author'),
  }
}

/** The first of these that works: SVG from MuPDF, SVG from poppler, a raster image, a blank page. */
export async function renderPage(source: RenderSource, number: number): Promise<RenderedPage> {
  const open = getDocument(source)
  const page = loadPage(open, number)
  if (!page) return { ...reflowPageSize, svg: compressSvg(blankPage(reflowPageSize)) }
  const frame = toPageFrame(page.getBounds())
  const size = { width: frame.width, height: frame.height }
  const list = attempt(() => page.toDisplayList(true))
  try {
    const result = (list && renderSvg(open, list, frame)) ?? 'failed'
    if (typeof result !== 'string') return { ...size, svg: result }
    const tryCairo = result === 'failed' && source.type === 'pdf'
    const svg =
      (tryCairo ? await renderWithCairo(source.path, number, frame) : undefined) ??
      (list ? await renderAsImage(list, frame) : undefined) ??
      compressSvg(blankPage(size))
    return { ...size, svg }
  } finally {
    list?.destroy()
    page.destroy()
  }
}

interface LinesRequest {
  from: number
  to: number
  withMargins: boolean
}

export function extractLines(source: RenderSource, { from, to, withMargins }: LinesRequest): PageLines[] {
  const open = getDocument(source)
  const pages: PageLines[] = []
  // Margins are wanted for all pages together: after a full page there are none.
  let isFull = false
  for (let number = from; number <= to; number++) {
    const page = loadPage(open, number)
    const frame = toPageFrame(page?.getBounds() ?? [0, 0, reflowPageSize.width, reflowPageSize.height])
    const list = page && attempt(() => page.toDisplayList(true))
    const measure = () => (list && withMargins ? attempt(() => measureMargins(list, frame)) : undefined)
    const margins: Margins | undefined = isFull ? noMargins : measure()
    isFull ||= margins?.every((margin) => margin === 0) ?? false
    const { width, height } = frame
    pages.push({ page: number, width, height, lines: list ? readLines(list, frame) : [], ...(margins && { margins }) })
    list?.destroy()
    page?.destroy()
  }
  return pages
}

export async function renderImage(source: RenderSource, number: number, width: number): Promise<PageImage> {
  const page = loadPage(getDocument(source), number)
  if (!page) return toImage(blankPixels(reflowPageSize, width))
  try {
    const frame = toPageFrame(page.getBounds())
    const list = attempt(() => page.toDisplayList(true))
    const pixels = list && attempt(() => rasterize(list, frame, width))
    list?.destroy()
    return await toImage(pixels ?? blankPixels(frame, width))
  } finally {
    page.destroy()
  }
}

/** The first page, or the part of it that says something in a small picture; undefined if nothing is on it. */
export async function renderCover(source: RenderSource, width: number): Promise<PageImage | undefined> {
  const page = loadPage(getDocument(source), 1)
  const list = page && attempt(() => page.toDisplayList(true))
  if (!page || !list) return undefined
  try {
    const frame = toPageFrame(page.getBounds())
    const area = findCoverArea(scanPage(list, frame))
    return area && (await toImage(rasterize(list, cutFrame(frame, area), width)))
  } finally {
    list.destroy()
    page.destroy()
  }
}

async function toImage(pixels: Pixels): Promise<PageImage> {
  return { webp: await encodeWebp(pixels), tint: findTint(pixels) }
}

const maxPages = 20_000
const maxSizes = 5000
const maxSizesMs = 5000

function readSizes(document: mupdf.Document, pages: number): Size[] {
  if (!document.isPDF()) return [reflowPageSize]
  const sizes: Size[] = []
  const deadline = performance.now() + maxSizesMs
  let readable = 0
  for (let n = 1; n <= Math.min(pages, maxSizes) && performance.now() < deadline; n++) {
    const page = attempt(() => document.loadPage(n - 1))
    if (page) readable++
    // None of the first ten pages is readable.
    else if (readable === 0 && (n === pages || n === 10)) throw new RenderFailure('damaged', 'no readable page')
    const { width, height } = page ? toPageFrame(page.getBounds()) : (sizes.at(-1) ?? { width: 595, height: 842 })
    sizes.push({ width, height })
    page?.destroy()
  }
  return sizes
}

function readMetadata(document: mupdf.Document, key: string): string {
  return cleanText(attempt(() => document.getMetaData(key)) ?? '').slice(0, 200)
}

function readLines(list: mupdf.DisplayList, { scale, matrix }: PageFrame) {
  return placeLines(readRawLines(list), { scale, left: matrix[4], top: matrix[5] })
}
