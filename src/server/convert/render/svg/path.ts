import { type Cursor, readNumber, skipBlanks, unpadded } from './numbers.ts'
import { svgWriter } from './writer.ts'

/**
 * Path data as short as it can be written: whole steps of `1 / units`, relative, letters and blanks left out where the
 * grammar allows it. Cubic curves that are as good as quadratic ones (TrueType outlines always are) become quadratic.
 */
export function shortPath(bytes: Uint8Array, from: number, to: number, units: number, printed = units): Uint8Array {
  const data = readPath(bytes, from, to)
  if (data) writePath(data, units, units / printed)
  return writer.take()
}

const writer = svgWriter()
const argumentsOf: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, Z: 0 }

/** Commands with their numbers, all absolute, one after the other: [letter code, numbers …]. */
function readPath(bytes: Uint8Array, from: number, to: number): number[] | undefined {
  const out: number[] = []
  const cursor: Cursor = { at: from, to }
  let letter = 0
  let wanted = 0
  let relative = false
  let x = 0
  let y = 0
  let startX = 0
  let startY = 0
  let controlX = 0
  let controlY = 0
  const given = [0, 0, 0, 0, 0, 0]
  for (;;) {
    skipBlanks(bytes, cursor)
    if (cursor.at >= to) return out
    const code = bytes[cursor.at] ?? 0
    if (code > 64) {
      const upper = code & 0xdf
      const count = argumentsOf[String.fromCharCode(upper)]
      if (count === undefined) return undefined
      letter = upper
      wanted = count
      relative = code !== upper
      cursor.at++
    } else if (letter === 0 || wanted === 0) return undefined
    else if (letter === 77) letter = 76

    for (let n = 0; n < wanted; n++) {
      const value = readNumber(bytes, cursor)
      if (!Number.isFinite(value)) return undefined
      given[n] = value
    }

    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = given
    const dx = relative ? x : 0
    const dy = relative ? y : 0
    switch (letter) {
      case 90:
        out.push(90)
        x = startX
        y = startY
        break
      case 72:
        x = a + dx
        out.push(76, x, y)
        break
      case 86:
        y = a + dy
        out.push(76, x, y)
        break
      case 77:
      case 76:
        x = a + dx
        y = b + dy
        out.push(letter, x, y)
        if (letter === 77) {
          startX = x
          startY = y
        }
        break
      case 67:
        out.push(67, a + dx, b + dy, c + dx, d + dy, e + dx, f + dy)
        controlX = c + dx
        controlY = d + dy
        x = e + dx
        y = f + dy
        break
      case 83: {
        const smooth = out.at(-7) === 67
        out.push(67, smooth ? 2 * x - controlX : x, smooth ? 2 * y - controlY : y, a + dx, b + dy, c + dx, d + dy)
        controlX = a + dx
        controlY = b + dy
        x = c + dx
        y = d + dy
        break
      }
      case 81:
        out.push(81, a + dx, b + dy, c + dx, d + dy)
        x = c + dx
        y = d + dy
        break
      default:
        return undefined
    }
  }
}

/** `factor` turns steps into printed numbers: 1 prints whole steps, 100 prints hundredths. */
function writePath(data: number[], units: number, factor: number): void {
  let last = 0
  let dotted = false
  let x = 0
  let y = 0
  let exactX = 0
  let exactY = 0
  let startX = 0
  let startY = 0
  let exactStartX = 0
  let exactStartY = 0
  // Where the next control point lies if it mirrors the last one, as between points that TrueType leaves out.
  let mirrorX = 0
  let mirrorY = 0

  const command = (letter: number) => {
    if (letter === last && letter !== 122 && letter !== 109) return false
    // After a move, further pairs are lines.
    if (letter === 108 && last === 109) {
      last = 108
      return false
    }
    writer.code(letter)
    last = letter
    return true
  }
  const number = (steps: number, first: boolean) => {
    if (factor === 1) {
      if (!first && steps >= 0) writer.code(32)
      writer.integer(steps)
      return
    }
    const text = unpadded(steps / factor)
    const lead = text.charCodeAt(0)
    if (!first && lead !== 45 && !(lead === 46 && dotted)) writer.code(32)
    writer.text(text)
    dotted = text.includes('.')
  }
  const at = (value: number | undefined) => Math.round((value ?? 0) * units)

  for (let n = 0; n < data.length;) {
    const letter = data[n]
    if (letter === 90) {
      if (last !== 122) command(122)
      x = startX
      y = startY
      exactX = exactStartX
      exactY = exactStartY
      n += 1
    } else if (letter === 77 || letter === 76) {
      const toX = at(data[n + 1])
      const toY = at(data[n + 2])
      const dx = toX - x
      const dy = toY - y
      if (letter === 77) {
        number(dx, command(109))
        number(dy, false)
        startX = toX
        startY = toY
        exactStartX = data[n + 1] ?? 0
        exactStartY = data[n + 2] ?? 0
      } else if (dy === 0 && dx !== 0) number(dx, command(104))
      else if (dx === 0 && dy !== 0) number(dy, command(118))
      // A line without length still shows as a dot where it is stroked with round ends.
      else {
        number(dx, command(108))
        number(dy, false)
      }
      x = toX
      y = toY
      exactX = data[n + 1] ?? 0
      exactY = data[n + 2] ?? 0
      n += 3
    } else {
      const cubic = letter === 67
      const end = n + (cubic ? 5 : 3)
      const endX = data[end] ?? 0
      const endY = data[end + 1] ?? 0
      let controlX = data[n + 1] ?? 0
      let controlY = data[n + 2] ?? 0
      let quadratic = !cubic
      if (cubic) {
        const otherX = (3 * (data[n + 3] ?? 0) - endX) / 2
        const otherY = (3 * (data[n + 4] ?? 0) - endY) / 2
        const fromX = (3 * controlX - exactX) / 2
        const fromY = (3 * controlY - exactY) / 2
        // The curve strays from the other one by less than a tenth of this: no more than rounding does.
        const tolerance = 5 / units
        if (Math.abs(otherX - fromX) < tolerance && Math.abs(otherY - fromY) < tolerance) {
          quadratic = true
          controlX = (otherX + fromX) / 2
          controlY = (otherY + fromY) / 2
        }
      }
      const toX = at(endX)
      const toY = at(endY)
      const stepX = at(controlX)
      const stepY = at(controlY)
      const follows = quadratic && (last === 113 || last === 116)
      if (follows && Math.abs(mirrorX - stepX) <= 1 && Math.abs(mirrorY - stepY) <= 1) {
        number(toX - x, command(116))
        number(toY - y, false)
        mirrorX = 2 * toX - mirrorX
        mirrorY = 2 * toY - mirrorY
      } else {
        number(stepX - x, command(quadratic ? 113 : 99))
        number(stepY - y, false)
        if (!quadratic) {
          number(at(data[n + 3]) - x, false)
          number(at(data[n + 4]) - y, false)
        }
        number(toX - x, false)
        number(toY - y, false)
        mirrorX = 2 * toX - stepX
        mirrorY = 2 * toY - stepY
      }
      x = toX
      y = toY
      exactX = endX
      exactY = endY
      n = end + 2
    }
  }
}
