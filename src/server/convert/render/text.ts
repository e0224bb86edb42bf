import type { Line } from '../converter.ts'

/** A page holds a few thousand characters; what has far more is no text for people. */
const longestPage = 200_000
/** Positions come as whole numbers: tenths of a point. */
export const textScale = 10

/**
 * The lines of a page from mupdf's structured text, in reading order. `place` takes the document's points to those of
 * the page as it is shown.
 */
export function linesOf(json: string, { scale, left, top }: { scale: number; left: number; top: number }): Line[] {
  const lines: Line[] = []
  let room = longestPage
  for (const block of parsedBlocks(json))
    for (const line of block.lines ?? []) {
      const text = cleanText(line.text ?? '').slice(0, room)
      if (text === '') continue
      room -= text.length
      const { x = 0, y = 0, w = 0, h = 0 } = line.bbox ?? {}
      const [before, after] = blanksAround(line.text ?? '')
      lines.push([
        tenths((x + w * before) * scale + left * textScale),
        tenths(y * scale + top * textScale),
        tenths(w * (1 - before - after) * scale),
        tenths(h * scale),
        text,
      ])
      if (room <= 0) return lines
    }
  return lines
}

/** Which shares of a line's width are the blanks around its words: Chinese paragraphs begin with two. */
function blanksAround(text: string): [before: number, after: number] {
  const whole = widthOf(text)
  if (whole === 0 || text.trim() === '') return [0, 0]
  return [(whole - widthOf(text.trimStart())) / whole, (whole - widthOf(text.trimEnd())) / whole]
}

/** In halves of an em: hanzi and what belongs to them take two. */
function widthOf(text: string): number {
  return text.length + text.replace(/[^\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/g, '').length
}

/** One line of text as people mean it: no control characters, no blanks between two hanzi. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(controls, ' ')
    .replace(/[\s\u00a0\u3000]+/g, ' ')
    .replace(betweenHanzi, '')
    .trim()
}

const controls = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\uffff]/gu
const betweenHanzi = /(?<=[\p{sc=Han}\u3001-\u303f\uff00-\uffef]) (?=[\p{sc=Han}\u3001-\u303f\uff00-\uffef])/gu

interface Block {
  lines?: { text?: string; bbox?: { x?: number; y?: number; w?: number; h?: number } }[]
}

function parsedBlocks(json: string): Block[] {
  try {
    const page: { blocks?: Block[] } = JSON.parse(json)
    return page.blocks ?? []
  } catch {
    return []
  }
}

function tenths(value: number): number {
  return Math.round(value) / textScale
}
