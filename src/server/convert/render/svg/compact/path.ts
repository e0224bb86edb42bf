import { unpadded } from '../numbers.ts'
import { closePath, cubicTo, lineTo, moveTo, readPath } from './path-reader.ts'
import { svgWriter } from './writer.ts'

/**
 * Parses path data and writes them in as few bytes as possible: rounded to `1 / units`, with relative coordinates, without
 * letters and blanks that the grammar does not need. Cubic curves that were quadratic (TrueType outlines) become quadratic
 * again. Coordinates are multiplied by `scale`; by default they become integers. Empty for invalid data.
 */
export function shortPath(bytes: Uint8Array, from: number, to: number, units: number, scale = units): Uint8Array {
  const commands = readPath(bytes, from, to)
  if (commands) writeCommands(commands, units, units / scale)
  return out.take()
}

const out = svgWriter()

/** Character codes of the relative commands that are written. */
const [move, line, horizontal, vertical] = [109, 108, 104, 118]
const [cubic, quadratic, smoothQuadratic, close] = [99, 113, 116, 122]
const [space, minus, point] = [32, 45, 46]

/** `divisor` turns units into the numbers that are written: 1 writes integers, 100 writes hundredths. */
function writeCommands(commands: number[], units: number, divisor: number): void {
  let lastCommand = 0
  let hasPoint = false
  // The current point in units, and before rounding; then the same of the start of the subpath.
  let x = 0
  let y = 0
  let exactX = 0
  let exactY = 0
  let startX = 0
  let startY = 0
  let exactStartX = 0
  let exactStartY = 0
  // The control point that a smooth curve would have: the last one, mirrored at the current point.
  let mirrorX = 0
  let mirrorY = 0

  /** Returns whether a letter was written: a number that follows it needs no separator. */
  const writeCommand = (code: number): boolean => {
    if (code === lastCommand && code !== close && code !== move) return false
    // Further pairs after a move are lines.
    if (code === line && lastCommand === move) {
      lastCommand = line
      return false
    }
    out.byte(code)
    lastCommand = code
    return true
  }
  const writeNumber = (value: number, isFirst: boolean): void => {
    if (divisor === 1) {
      if (!isFirst && value >= 0) out.byte(space)
      out.integer(value)
      return
    }
    const text = unpadded(value / divisor)
    const first = text.charCodeAt(0)
    // A second decimal point begins a new number.
    if (!isFirst && first !== minus && !(first === point && hasPoint)) out.byte(space)
    out.text(text)
    hasPoint = text.includes('.')
  }
  const writePair = (code: number, dx: number, dy: number): void => {
    writeNumber(dx, writeCommand(code))
    writeNumber(dy, false)
  }
  const toUnits = (value: number | undefined) => Math.round((value ?? 0) * units)

  for (let n = 0; n < commands.length;) {
    const command = commands[n]
    if (command === closePath) {
      if (lastCommand !== close) writeCommand(close)
      x = startX
      y = startY
      exactX = exactStartX
      exactY = exactStartY
      n += 1
    } else if (command === moveTo || command === lineTo) {
      const endX = toUnits(commands[n + 1])
      const endY = toUnits(commands[n + 2])
      const dx = endX - x
      const dy = endY - y
      exactX = commands[n + 1] ?? 0
      exactY = commands[n + 2] ?? 0
      if (command === moveTo) {
        writePair(move, dx, dy)
        startX = endX
        startY = endY
        exactStartX = exactX
        exactStartY = exactY
      } else if (dy === 0 && dx !== 0) writeNumber(dx, writeCommand(horizontal))
      else if (dx === 0 && dy !== 0) writeNumber(dy, writeCommand(vertical))
      // A line without length is not left out: with round caps it shows as a dot.
      else writePair(line, dx, dy)
      x = endX
      y = endY
      n += 3
    } else {
      const isCubic = command === cubicTo
      const end = n + (isCubic ? 5 : 3)
      const exactEndX = commands[end] ?? 0
      const exactEndY = commands[end + 1] ?? 0
      let controlX = commands[n + 1] ?? 0
      let controlY = commands[n + 2] ?? 0
      let isQuadratic = !isCubic
      if (isCubic) {
        // A cubic curve that was quadratic has the same quadratic control point, seen from both of its ends.
        const fromStartX = (3 * controlX - exactX) / 2
        const fromStartY = (3 * controlY - exactY) / 2
        const fromEndX = (3 * (commands[n + 3] ?? 0) - exactEndX) / 2
        const fromEndY = (3 * (commands[n + 4] ?? 0) - exactEndY) / 2
        // The curves differ by less than a tenth of this: no more than rounding does.
        const tolerance = 5 / units
        if (Math.abs(fromEndX - fromStartX) < tolerance && Math.abs(fromEndY - fromStartY) < tolerance) {
          isQuadratic = true
          controlX = (fromEndX + fromStartX) / 2
          controlY = (fromEndY + fromStartY) / 2
        }
      }
      const endX = toUnits(exactEndX)
      const endY = toUnits(exactEndY)
      const unitsX = toUnits(controlX)
      const unitsY = toUnits(controlY)
      const followsQuadratic = isQuadratic && (lastCommand === quadratic || lastCommand === smoothQuadratic)
      if (followsQuadratic && Math.abs(mirrorX - unitsX) <= 1 && Math.abs(mirrorY - unitsY) <= 1) {
        writePair(smoothQuadratic, endX - x, endY - y)
        mirrorX = 2 * endX - mirrorX
        mirrorY = 2 * endY - mirrorY
      } else {
        writePair(isQuadratic ? quadratic : cubic, unitsX - x, unitsY - y)
        if (!isQuadratic) {
          writeNumber(toUnits(commands[n + 3]) - x, false)
          writeNumber(toUnits(commands[n + 4]) - y, false)
        }
        writeNumber(endX - x, false)
        writeNumber(endY - y, false)
        mirrorX = 2 * endX - unitsX
        mirrorY = 2 * endY - unitsY
      }
      x = endX
      y = endY
      exactX = exactEndX
      exactY = exactEndY
      n = end + 2
    }
  }
}
