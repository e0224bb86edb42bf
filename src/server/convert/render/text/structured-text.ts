import type * as mupdf from 'mupdf'
import { attempt } from '../failures.ts'
import { maxPageLength, type Quad, type RawLine } from './lines.ts'

/** The lines of a page from MuPDF's structured text. */
export function readRawLines(list: mupdf.DisplayList): RawLine[] {
  const structured = attempt(() => list.toStructuredText('preserve-whitespace'))
  if (!structured) return []
  try {
    const texts = parseTexts(structured.asJSON())
    return readQuads(structured).map(({ quads, direction }, index) => ({ text: texts[index] ?? '', quads, direction }))
  } finally {
    structured.destroy()
  }
}

function readQuads(structured: mupdf.StructuredText): Pick<RawLine, 'quads' | 'direction'>[] {
  const lines: { quads: Quad[]; direction: [number, number] }[] = []
  let count = 0
  structured.walk({
    beginLine: (_box, _mode, direction) => lines.push({ quads: [], direction }),
    onChar: (_char, _origin, font, _size, quad) => {
      if (count < maxPageLength) lines.at(-1)?.quads.push(quad)
      count += 1
      // One object for each character: left to the garbage collector, they pile up.
      font.destroy()
    },
  })
  return lines
}

interface Block {
  lines?: { text?: string }[]
}

/** From JSON, as the walk cuts characters beyond U+FFFF. */
function parseTexts(json: string): string[] {
  try {
    const page: { blocks?: Block[] } = JSON.parse(json)
    return (page.blocks ?? []).flatMap(({ lines = [] }) => lines.map(({ text = '' }) => text))
  } catch {
    return []
  }
}
