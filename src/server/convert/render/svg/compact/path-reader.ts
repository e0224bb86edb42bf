import { type Cursor, readNumber, skipBlanks } from '../numbers.ts'

/** Character codes of commands. */
export const [moveTo, lineTo, cubicTo, closePath] = [77, 76, 67, 90]
const [quadraticTo, horizontalTo, verticalTo, smoothTo] = [81, 72, 86, 83]

const argumentCounts = new Map([
  [moveTo, 2],
  [lineTo, 2],
  [horizontalTo, 1],
  [verticalTo, 1],
  [cubicTo, 6],
  [smoothTo, 4],
  [quadraticTo, 4],
  [closePath, 0],
])

/**
 * Parses path data into moves, lines, cubic and quadratic curves and ends with absolute coordinates, as one flat list:
 * code, numbers, code, numbers … Undefined for data with any other command, or that are no path at all.
 */
export function readPath(bytes: Uint8Array, from: number, to: number): number[] | undefined {
  const commands: number[] = []
  const cursor: Cursor = { at: from, to }
  let command = 0
  let argumentCount = 0
  let isRelative = false
  let x = 0
  let y = 0
  let startX = 0
  let startY = 0
  let controlX = 0
  let controlY = 0
  const values = [0, 0, 0, 0, 0, 0]
  for (;;) {
    skipBlanks(bytes, cursor)
    if (cursor.at >= to) return commands
    const code = bytes[cursor.at] ?? 0
    if (code > 64) {
      const upperCase = code & 0xdf
      const count = argumentCounts.get(upperCase)
      if (count === undefined) return undefined
      command = upperCase
      argumentCount = count
      isRelative = code !== upperCase
      cursor.at++
    } else if (command === 0 || argumentCount === 0) return undefined
    // Further pairs after a move are lines.
    else if (command === moveTo) command = lineTo

    for (let n = 0; n < argumentCount; n++) {
      const value = readNumber(bytes, cursor)
      if (!Number.isFinite(value)) return undefined
      values[n] = value
    }

    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = values
    const dx = isRelative ? x : 0
    const dy = isRelative ? y : 0
    switch (command) {
      case closePath:
        commands.push(closePath)
        x = startX
        y = startY
        break
      case horizontalTo:
        x = a + dx
        commands.push(lineTo, x, y)
        break
      case verticalTo:
        y = a + dy
        commands.push(lineTo, x, y)
        break
      case moveTo:
      case lineTo:
        x = a + dx
        y = b + dy
        commands.push(command, x, y)
        if (command === moveTo) {
          startX = x
          startY = y
        }
        break
      case cubicTo:
        commands.push(cubicTo, a + dx, b + dy, c + dx, d + dy, e + dx, f + dy)
        controlX = c + dx
        controlY = d + dy
        x = e + dx
        y = f + dy
        break
      case smoothTo: {
        // The first control point mirrors the last one of the curve before.
        const isSmooth = commands.at(-7) === cubicTo
        const firstX = isSmooth ? 2 * x - controlX : x
        const firstY = isSmooth ? 2 * y - controlY : y
        commands.push(cubicTo, firstX, firstY, a + dx, b + dy, c + dx, d + dy)
        controlX = a + dx
        controlY = b + dy
        x = c + dx
        y = d + dy
        break
      }
      default:
        commands.push(quadraticTo, a + dx, b + dy, c + dx, d + dy)
        x = c + dx
        y = d + dy
    }
  }
}
