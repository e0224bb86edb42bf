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
      lines.push([
        tenths(x * scale + left * textScale),
        tenths(y * scale + top * textScale),
        tenths(w * scale),
        tenths(h * scale),
        text,
      ])
      if (room <= 0) return lines
    }
  return lines
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
