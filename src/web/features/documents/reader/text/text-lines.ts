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

/** In heights of the line: narrower ones, as numbers and bullets, make no column. */
const minColumnWidth = 5

/**
 * The blank space around each line, up to the middle between it and its neighbours: a pointer there selects the characters
 * of that line. Above and below at most a line's height: figures belong to no line. To the sides not over another column,
 * where that has a figure, a gap between paragraphs or its end: a pointer that goes down the column would select the other.
 */
function blankSpaces(lines: readonly TextLine[], pageWidth: number): (readonly [number, number, number, number])[] {
  if (lines.length > maxCompared) return []
  const level = lines.filter(([, , , h, , , slant]) => !slant && h > 0).toSorted((a, b) => middle(a) - middle(b))
  const order = new Map(level.map((line, at) => [line, at]))
  return lines.map((line) => {
    const at = order.get(line)
    if (at === undefined) return none
    const [x, y, w, h] = line
    const above = blankOnSide(line, level.slice(0, at).toReversed(), pageWidth)
    const below = blankOnSide(line, level.slice(at + 1), pageWidth)
    const top = Math.min(h, ...above.overlapping.map(([, oy, , oh]) => Math.max(0, y - oy - oh) / 2))
    const bottom = Math.min(h, ...below.overlapping.map(([, oy]) => Math.max(0, oy - y - h) / 2))
    const right = Math.min(above.right, below.right) - x - w
    const left = x - Math.max(above.left, below.left)
    return [top, right, bottom, left].map((side) => Math.max(0, side) / h) as [number, number, number, number]
  })
}

function middle([, y, , h]: TextLine): number {
  return y + h / 2
}

/** Among the lines above or below a line, nearest first: those that overlap it sideways, and how far it reaches to the sides. */
function blankOnSide([x, y, w, h]: TextLine, others: readonly TextLine[], pageWidth: number) {
  let [left, right] = [0, pageWidth]
  // What lies behind these is another part of the page.
  let [hiddenFrom, hiddenTo] = [x, x + w]
  const overlapping: TextLine[] = []
  for (const other of others) {
    const [ox, oy, ow, oh] = other
    if (ox < x + w && ox + ow > x) {
      overlapping.push(other)
      hiddenFrom = Math.min(hiddenFrom, ox)
      hiddenTo = Math.max(hiddenTo, ox + ow)
      continue
    }
    const isBeside = oy < y + h && oy + oh > y
    const isColumn = ow >= oh * minColumnWidth && (ox >= hiddenTo || ox + ow <= hiddenFrom)
    if (!isBeside && !isColumn) continue
    if (ox < x) left = Math.max(left, (ox + ow + x) / 2)
    else right = Math.min(right, (x + w + ox) / 2)
  }
  return { left, right, overlapping }
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
