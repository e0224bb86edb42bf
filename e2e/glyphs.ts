import * as mupdf from 'mupdf'

/** Where the glyphs of a document are drawn, by MuPDF, in points from the page's upper left corner. */
export interface Glyph {
  char: string
  left: number
  right: number
  top: number
  bottom: number
}

/** The lines of a page, without their blanks. */
export function readGlyphs(file: Uint8Array, type: string, page: number): Glyph[][] {
  const document = mupdf.Document.openDocument(file, type)
  const structured = document.loadPage(page - 1).toStructuredText('preserve-whitespace')
  const lines: Glyph[][] = []
  structured.walk({
    beginLine: () => lines.push([]),
    onChar: (char, _origin, font, _size, quad) => {
      font.destroy()
      if (char.trim() === '') return
      const [xs, ys] = [0, 1].map((axis) => quad.filter((_, at) => at % 2 === axis)) as [number[], number[]]
      const [left, right] = [Math.min(...xs), Math.max(...xs)]
      lines.at(-1)?.push({ char, left, right, top: Math.min(...ys), bottom: Math.max(...ys) })
    },
  })
  return lines
}

/** The glyphs of a phrase that stands on one line. */
export function findGlyphs(lines: readonly Glyph[][], phrase: string): Glyph[] {
  const wanted = phrase.replaceAll(' ', '')
  for (const line of lines) {
    const at = line
      .map(({ char }) => char)
      .join('')
      .indexOf(wanted)
    if (at >= 0) return line.slice(at, at + wanted.length)
  }
  return []
}

export type Box = Omit<Glyph, 'char'>

export function unite(boxes: readonly Box[]): Box {
  return {
    left: Math.min(...boxes.map(({ left }) => left)),
    right: Math.max(...boxes.map(({ right }) => right)),
    top: Math.min(...boxes.map(({ top }) => top)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  }
}

/** Along the line what both cover of what either covers; across it what the mark covers of the glyphs. */
export function overlap(mark: Box, glyphs: Box): number {
  const shared = (from: number, to: number, otherFrom: number, otherTo: number) =>
    Math.max(0, Math.min(to, otherTo) - Math.max(from, otherFrom))
  const along = shared(mark.left, mark.right, glyphs.left, glyphs.right)
  const either = Math.max(mark.right, glyphs.right) - Math.min(mark.left, glyphs.left)
  return (along / either) * (shared(mark.top, mark.bottom, glyphs.top, glyphs.bottom) / (glyphs.bottom - glyphs.top))
}
