import { emptyEdges, type PageScan } from './margins.ts'
import type { PageArea } from './page-frame.ts'

const wholePage: PageArea = { left: 0, top: 0, share: 1 }
/** How much of a white page ink covers: a page of text has less, one with pictures or colours more. */
const maxInk = 0.15
/** How much of the page is shown; less would be a few words and not a page. */
const shares = [0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]
/** The upper part of what is shown. Its lines, a title most of the time, stay whole; those below it may be cut. */
const headShare = 0.2
/** What ends so far above the foot of the page is one thing, a logo or a short table, and not cut at its foot. */
const maxWholeLength = 0.7
/** White around the content, as a share of what is shown. */
const padding = 0.08

/**
 * What of a first page becomes its cover. Lines of text are grey noise in a picture of a hundred pixels: of a page that is
 * mostly white the upper part is shown, as large as its title allows. Undefined for a page with nothing on it.
 */
export function findCoverArea(scan: PageScan): PageArea | undefined {
  const { pixels, width, height } = scan
  const [, top, , bottom] = emptyEdges(pixels, width, height)
  if (bottom === 1) return undefined
  if (inkOf(scan) >= maxInk) return wholePage
  const length = (1 - top - bottom) * (1 + padding)
  const isCut = (share: number) => length <= maxWholeLength && length > share
  for (const share of shares) {
    const rows = Math.ceil(share * headShare * height)
    const start = Math.floor(top * height) * width
    const head = Array.from({ length: rows * width }, (_, n) => pixels[start + n] ?? 255)
    const [left, , right] = emptyEdges(head, width, rows)
    if ((1 - left - right) * (1 + 2 * padding) > share || isCut(share)) continue
    const middle = (left + 1 - right) / 2
    return { left: within(middle - share / 2, share), top: within(top - share * padding, share), share }
  }
  return wholePage
}

function inkOf({ pixels, width, height }: PageScan): number {
  let ink = 0
  for (let n = 0; n < width * height; n += 1) ink += 255 - (pixels[n] ?? 255)
  return ink / (width * height * 255)
}

function within(start: number, share: number): number {
  return Math.min(Math.max(start, 0), 1 - share)
}
