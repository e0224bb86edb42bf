import type { Chapter } from './chapters.ts'

export interface PositionedText {
  x: number
  y: number
  text: string
}

export interface PdfPage {
  headings: PositionedText[]
  lines: PositionedText[]
  /** The heights of horizontal rules. */
  rules: number[]
}

const [left, top, bottom] = [72, 740, 80]
const lineHeight = 26
/** A chapter that would have less than this begins on the next page. */
const minChapterHeight = 180
/** In half the width of a Chinese character. */
const charsPerLine = 64
const halfEm = 7

/** Lays chapters out on A4 in 14 points; `starts` are the pages on which they begin. */
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
    page(minChapterHeight).headings.push({ x: left, y, text: title })
    starts.push(pages.length - 1)
    y -= 44
    for (const text of paragraphs.flatMap((paragraph) => wrapLine(`　　${paragraph}`))) {
      page(0).lines.push({ x: left, y, text })
      y -= lineHeight
    }
    for (const row of table) {
      const width = (charsPerLine * halfEm) / Math.max(1, row.length)
      const { lines, rules } = page(lineHeight)
      lines.push(...row.map((text, column) => ({ x: left + column * width, y: y - 8, text })))
      rules.push(y - 16)
      y -= lineHeight
    }
    y -= 44
  }
  return { pages, starts }
}

/** Closing punctuation does not begin a line: it hangs over the margin. */
function wrapLine(text: string): string[] {
  const lines: string[] = []
  let line = ''
  let width = 0
  for (const char of text) {
    const wide = char > '\xff' ? 2 : 1
    if (width + wide > charsPerLine && !/[，。、；：！？”》）]/.test(char)) {
      lines.push(line)
      line = ''
      width = 0
    }
    line += char
    width += wide
  }
  return line ? [...lines, line] : lines
}
