import type { Chapter } from './chapters.ts'

export interface Placed {
  x: number
  y: number
  text: string
}

export interface PdfPage {
  headings: Placed[]
  lines: Placed[]
  /** Heights at which a line is drawn from margin to margin. */
  rules: number[]
}

const [left, top, bottom] = [72, 740, 80]
const lineHeight = 26
/** A chapter that has less room than this begins on the next page. */
const roomForChapter = 180
/** Widths are counted in halves of a Chinese character. */
const perLine = 64
const half = 7

/** Chapters laid out on A4 in 14 points, one after the other; and the page that each begins on. */
export function paginate(chapters: readonly Chapter[]): { pages: PdfPage[]; starts: number[] } {
  const pages: PdfPage[] = []
  const starts: number[] = []
  let y = 0
  const page = (room: number): PdfPage => {
    const last = pages.at(-1)
    if (last && y - room >= bottom) return last
    const next: PdfPage = { headings: [], lines: [], rules: [] }
    pages.push(next)
    y = top
    return next
  }
  for (const { title, paragraphs, table = [] } of chapters) {
    page(roomForChapter).headings.push({ x: left, y, text: title })
    starts.push(pages.length - 1)
    y -= 44
    for (const text of paragraphs.flatMap((paragraph) => wrapped(`　　${paragraph}`))) {
      page(0).lines.push({ x: left, y, text })
      y -= lineHeight
    }
    for (const row of table) {
      const width = (perLine * half) / Math.max(1, row.length)
      const { lines, rules } = page(lineHeight)
      lines.push(...row.map((text, column) => ({ x: left + column * width, y: y - 8, text })))
      rules.push(y - 16)
      y -= lineHeight
    }
    y -= 44
  }
  return { pages, starts }
}

/** Lines that do not begin with a mark which ends what stands before it: such a mark hangs over. */
function wrapped(text: string): string[] {
  const lines: string[] = []
  let line = ''
  let width = 0
  for (const char of text) {
    const wide = char > '\xff' ? 2 : 1
    if (width + wide > perLine && !/[，。、；：！？”》）]/.test(char)) {
      lines.push(line)
      line = ''
      width = 0
    }
    line += char
    width += wide
  }
  return line ? [...lines, line] : lines
}
