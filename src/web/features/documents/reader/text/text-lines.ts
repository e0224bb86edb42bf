import { isInCommonFonts } from '#web/features/documents/reader/text/fonts.ts'

/** `[x, y, width, height, text]` in the units of the page, then the runs and the slant of a line that has them. */
export type TextLine = readonly [
  number,
  number,
  number,
  number,
  string,
  /** Length, gap before and width of each run; gap and width in tenths. */
  (readonly number[])?,
  /** Angle in degrees, clockwise, length and thickness, around the middle of the box. */
  (readonly number[])?,
]

export interface PageText {
  width: number
  height: number
  lines: readonly TextLine[]
}

export interface PositionedLine {
  index: number
  text: string
  /** The upper left corner, in percent of the page; of a slanted line the middle. */
  left: number
  top: number
  /** In percent of the page's height. An em of the line is as much. */
  height: number
  /** In degrees. */
  angle: number
  runs: readonly PositionedRun[]
  /** The blank space around the line that belongs to it, in ems: top, right, bottom, left. */
  around: readonly [number, number, number, number]
}

/** A part of a line that is set in one size, so that it is as wide as it is printed. */
export interface PositionedRun {
  /** The range in the line's text, with the blank after it. */
  from: number
  to: number
  /** The size of its font in ems of the line. */
  size: number
  /** The gap before it, in its own ems. */
  gap: number
  /** What is added to its blank, in its own ems. */
  blank: number
  /** With its blank, in its own ems: of characters that the browser may set in another width than it measures. */
  width?: number
}

/** Positions in percent of the page. `measure` returns the width of a text at a font size of 1. */
export function positionLines({ width, height, lines }: PageText, measure: (text: string) => number): PositionedLine[] {
  if (!(width > 0 && height > 0)) return []
  const around = blankSpaces(lines, width)
  return lines.flatMap((line, index) => {
    const [x, y, w, h, text, , slant] = line
    if (text.trim() === '' || !(w > 0 && h > 0)) return []
    const [angle = 0, length = w, thickness = h] = slant ?? []
    const runs = positionRuns(line, { length, thickness, measure })
    if (!runs) return []
    return {
      index,
      text,
      left: ((slant ? x + w / 2 : x) / width) * 100,
      top: ((slant ? y + h / 2 : y) / height) * 100,
      height: (thickness / height) * 100,
      angle,
      runs,
      around: around[index] ?? none,
    }
  })
}

interface RunOptions {
  length: number
  thickness: number
  measure: (text: string) => number
}

/** Lines that were stored without runs are set in one size. */
function positionRuns([, , , , text, stored]: TextLine, options: RunOptions): PositionedRun[] | undefined {
  const { length, thickness, measure } = options
  const steps = stored && isWhole(stored, text) ? stored : [text.length, 0, length * 10]
  const runs: PositionedRun[] = []
  let from = 0
  for (let at = 0; at < steps.length; at += 3) {
    const [count = 0, gap = 0, width = 0, , next = 0] = steps.slice(at, at + 5)
    const end = from + count
    const size = width / 10 / thickness / measure(text.slice(from, end))
    if (!(size > 0 && size < Infinity)) return undefined
    const to = end + (text[end] === ' ' ? 1 : 0)
    const toEms = (tenths: number) => tenths / 10 / thickness / size
    const after = to > end ? toEms(next) : 0
    runs.push({
      from,
      to,
      size,
      gap: text[from - 1] === ' ' ? 0 : toEms(gap),
      blank: to > end ? after - measure(' ') : 0,
      ...(steps === stored && !isInCommonFonts(text.slice(from, end)) && { width: toEms(width) + after }),
    })
    from = to
  }
  return runs
}

/** Whether the runs and the blanks between them are the whole text. */
function isWhole(steps: readonly number[], text: string): boolean {
  let end = 0
  for (let at = 0; at < steps.length; at += 3) {
    if (end > 0 && text[end] === ' ') end += 1
    end += steps[at] ?? 0
  }
  return steps.length > 0 && end === text.length
}

const none = [0, 0, 0, 0] as const
/** More than that is a page of numbers, and comparing all of them would take long. */
const maxCompared = 600

/**
 * The blank space around each line, up to the middle between it and its neighbours: a pointer there selects the characters
 * of that line. Above and below at most a line's height: figures belong to no line.
 */
function blankSpaces(lines: readonly TextLine[], pageWidth: number): (readonly [number, number, number, number])[] {
  if (lines.length > maxCompared) return []
  return lines.map(([x, y, w, h, , , slant], index) => {
    if (slant || !(h > 0)) return none
    let [top, right, bottom, left] = [h, Math.max(0, pageWidth - x - w), h, Math.max(0, x)]
    for (const [other, [ox, oy, ow, oh, , , otherSlant]] of lines.entries()) {
      if (other === index || otherSlant) continue
      const isBeside = oy < y + h && oy + oh > y
      const isAboveOrBelow = ox < x + w && ox + ow > x
      if (isAboveOrBelow && oy + oh / 2 < y + h / 2) top = Math.min(top, Math.max(0, y - oy - oh) / 2)
      else if (isAboveOrBelow) bottom = Math.min(bottom, Math.max(0, oy - y - h) / 2)
      else if (isBeside && ox < x) left = Math.min(left, Math.max(0, x - ox - ow) / 2)
      else if (isBeside) right = Math.min(right, Math.max(0, ox - x - w) / 2)
    }
    return [top / h, right / h, bottom / h, left / h]
  })
}

/** Validates a response; undefined if it is not the text of a page. */
export function readPageText(value: unknown): PageText | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { width, height, lines }: Partial<Record<keyof PageText, unknown>> = value
  if (typeof width !== 'number' || typeof height !== 'number' || !Array.isArray(lines)) return undefined
  return { width, height, lines: lines.filter(isLine) }
}

function isLine(value: unknown): value is TextLine {
  return (
    Array.isArray(value) &&
    typeof value[4] === 'string' &&
    value.slice(0, 4).every(isNumber) &&
    value.slice(5).every((part: unknown) => Array.isArray(part) && part.every(isNumber))
  )
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}
