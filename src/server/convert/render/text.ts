import type { Line } from '../converter.ts'

/** In characters: a real page has a few thousand. */
const maxPageLength = 200_000
/** MuPDF writes positions as integers: they are scaled to tenths of a point. */
export const textScale = 10

/** The lines of a page from MuPDF's structured text, in reading order and in the coordinates of the displayed page. */
export function parseLines(json: string, { scale, left, top }: { scale: number; left: number; top: number }): Line[] {
  const lines: Line[] = []
  let charsLeft = maxPageLength
  for (const block of parseBlocks(json))
    for (const line of block.lines ?? []) {
      const text = cleanText(line.text ?? '').slice(0, charsLeft)
      if (text === '') continue
      charsLeft -= text.length
      const { x = 0, y = 0, w = 0, h = 0 } = line.bbox ?? {}
      const [before, after] = surroundingBlanks(line.text ?? '')
      lines.push([
        roundToTenths((x + w * before) * scale + left * textScale),
        roundToTenths(y * scale + top * textScale),
        roundToTenths(w * (1 - before - after) * scale),
        roundToTenths(h * scale),
        text,
      ])
      if (charsLeft <= 0) return lines
    }
  return lines
}

/** The blanks around the text as shares of the line's width: Chinese paragraphs are indented with two wide blanks. */
function surroundingBlanks(text: string): [before: number, after: number] {
  const width = estimateWidth(text)
  if (width === 0 || text.trim() === '') return [0, 0]
  return [(width - estimateWidth(text.trimStart())) / width, (width - estimateWidth(text.trimEnd())) / width]
}

/** In halves of an em; East Asian wide characters count as two. */
function estimateWidth(text: string): number {
  return text.length + text.replace(/[^\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/g, '').length
}

/** Removes control characters and the blanks between Chinese characters. */
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

function parseBlocks(json: string): Block[] {
  try {
    const page: { blocks?: Block[] } = JSON.parse(json)
    return page.blocks ?? []
  } catch {
    return []
  }
}

function roundToTenths(value: number): number {
  return Math.round(value) / textScale
}
