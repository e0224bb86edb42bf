import type { Outline } from './glyph-outlines.ts'
import type { SvgWriter } from './writer.ts'
import type { Marked, MarkedText } from './text-marks.ts'

/** Writes the outlines of all glyphs that marks stand for. */
export function defineGlyphs(out: SvgWriter, { texts, sign }: Marked) {
  const ids = new Map<Outline, string>()
  for (const { spans } of texts)
    for (const { outlines } of spans)
      for (const outline of outlines)
        if (outline.data.length > 0 && !ids.has(outline)) ids.set(outline, shortId(ids.size))
  if (ids.size > 0) out.text('<defs>')
  for (const [{ data }, id] of ids) writePath(out, ` id="${id}" d="`, data)
  if (ids.size > 0) out.text('</defs>')
  return {
    ids,
    /** The text that a path stands for, if it is a mark. */
    at(bytes: Buffer, range: readonly [number, number] | undefined): MarkedText | undefined {
      // "M-"
      if (!range || bytes[range[0]] !== 77 || bytes[range[0] + 1] !== 45) return undefined
      const data = range[1] - range[0] < 30 ? bytes.toString('latin1', range[0], range[1]) : ''
      return data.startsWith(sign) ? texts[Number.parseInt(data.slice(sign.length), 10)] : undefined
    },
  }
}

/** a, b, … Z, aa, ab, … */
export function shortId(n: number): string {
  let id = ''
  for (let rest = n; rest >= 0; rest = Math.floor(rest / letters.length) - 1)
    id = `${letters[rest % letters.length]}${id}`
  return id
}

export function writePath(out: SvgWriter, attributes: string, data: Uint8Array): void {
  out.text('<path')
  out.text(attributes)
  out.bytes(data)
  out.text('"/>')
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
