import type { Line } from '#server/convert/converter.ts'
import type { Cell, Row } from './rows.ts'

/**
 * Program code, known by its font: all letters are equally wide. Text layers do not name fonts, but say where each part of a
 * line stands (render/text/runs.ts).
 */

/** The text of a line with all its blanks, and how wide each of its letters is, in points. */
export interface Monospaced {
  text: string
  advance: number
  /** Several parts of the line agree; a short line could be of any font. */
  isCertain: boolean
}

/** The error of rounding, in tenths of a point: widths are rounded, and those of a run add up. */
const rounding = 1.6
/** Printers set letters by fractions of a point. */
const tolerance = 0.015
/** A line of so many parts that are alike by chance is rare. */
const certainRuns = 4
const narrow = /^[\u0020-\u024f\u2010-\u2027\u2500-\u259f]+$/
/** Signs that occur in code and seldom in prose. */
const signs = /[{}()<>=;$#\\|_~`"@*+[\]]|--|^\s*(?:[-%>]|\/\/|\w+:)|\w\/\w|\.\w/
/** The share of the lines that look like code: some fonts of Chinese prose have equally wide Latin letters. */
const minSigns = 0.4

/** Undefined for a line whose letters are not equally wide. */
export function readMonospaced([, , width, , given, runs, slant]: Line): Monospaced | undefined {
  // Some fonts name a semicolon as the Greek question mark.
  const text = given.normalize('NFC')
  if (slant || text.length !== given.length || !narrow.test(text)) return undefined
  if (!runs || runs.length === 0) {
    // Blanks within the line are unknown without runs.
    const advance = width / text.length
    return { text, advance, isCertain: false }
  }
  const parts = toParts(runs)
  const letters = parts.reduce((sum, { length }) => sum + length, 0)
  const advance = parts.reduce((sum, part) => sum + part.width, 0) / letters
  const isEven = (tenths: number, count: number) =>
    Math.abs(tenths - count * advance) <= rounding + tolerance * count * advance
  let at = 0
  let spaced = ''
  for (const { length, gap, width: part } of parts) {
    const blanks = Math.round(gap / advance)
    if (blanks < 0 || !isEven(gap, blanks) || !isEven(part, length)) return undefined
    while (text[at] === ' ') at += 1
    spaced += ' '.repeat(blanks) + text.slice(at, at + length)
    at += length
  }
  return { text: spaced, advance: advance / 10, isCertain: parts.length >= certainRuns && isVaried(text) }
}

/** Joins two parts of a line that stand beside each other. */
export function joinCode(before: Cell, after: Cell): Monospaced | undefined {
  const [one, two] = [before.code, after.code]
  if (!one || !two || Math.abs(one.advance - two.advance) > alike * one.advance) return undefined
  const { advance } = one.isCertain ? one : two
  const column = Math.round((after.x - before.x) / advance)
  return { text: one.text.padEnd(column) + two.text, advance, isCertain: one.isCertain || two.isCertain }
}

/** Which of the rows below each other are lines of code. */
export function findCode(rows: readonly Row[]): ReadonlySet<Row> {
  const code = new Set<Row>()
  for (const [index, row] of rows.entries()) {
    if (code.has(row) || !isMonospaced(row)) continue
    const run = rowsAround(rows, index)
    const likely = run.filter((one) => signs.test(codeText([one])))
    if (likely.length >= minSigns * run.length) for (const one of run) code.add(one)
  }
  return code
}

/** Lines with their indents, and empty lines where the rows are further apart. */
export function codeText(rows: readonly Row[]): string {
  const left = Math.min(...rows.map(({ x }) => x))
  const pitches = rows.slice(1).map((row, index) => row.y - (rows[index]?.y ?? row.y))
  const pitch = Math.min(...pitches.filter((distance) => distance > 1))
  return rows
    .map((row, index) => {
      const before = rows[index - 1]
      const empty = before && Number.isFinite(pitch) ? Math.max(0, Math.round((row.y - before.y) / pitch) - 1) : 0
      return '\n'.repeat(Math.min(maxEmpty, empty)) + lineOf(row, left)
    })
    .join('\n')
}

const maxEmpty = 2

function lineOf({ cells }: Row, left: number): string {
  return cells.reduce((line, { x, text, code }) => {
    const column = code ? Math.max(0, Math.round((x - left) / code.advance)) : 0
    return line.padEnd(Math.max(column, line === '' ? 0 : line.length + 1)) + (code?.text ?? text)
  }, '')
}

/** Whether a row alone is known to be of equally wide letters. */
export function isMonospaced({ cells }: Row): boolean {
  return cells.some(({ code }) => code?.isCertain) && cells.every(({ code }) => code !== undefined)
}

/** The rows of the same font that follow each other, of which this is one. */
function rowsAround(rows: readonly Row[], index: number): Row[] {
  const row = rows[index]
  const advance = row?.cells.find(({ code }) => code?.isCertain)?.code?.advance ?? 0
  const isAlike = (other: Row | undefined) =>
    other?.cells.every(({ code }) => code && Math.abs(code.advance - advance) <= alike * advance) ?? false
  let [first, last] = [index, index]
  while (isAlike(rows[first - 1])) first -= 1
  while (isAlike(rows[last + 1])) last += 1
  return rows.slice(first, last + 1)
}

/** The mean width of a short line is rounded more. */
const alike = 0.03

interface Part {
  length: number
  gap: number
  width: number
}

function toParts(runs: readonly number[]): Part[] {
  return Array.from({ length: runs.length / 3 }, (_, index) => ({
    length: runs[index * 3] ?? 0,
    gap: runs[index * 3 + 1] ?? 0,
    width: runs[index * 3 + 2] ?? 0,
  }))
}

/** Digits are equally wide in nearly all fonts: letters that seldom are tell more. */
function isVaried(text: string): boolean {
  return /[ijltfI.,:;'|!]/.test(text) && /[mwMWA-HK-Z@%#]|[abdeghnopqu]/.test(text)
}
