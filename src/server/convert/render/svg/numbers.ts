/** Rounded to at most so many decimals, without superfluous zeros. */
export function shortNumber(value: number, decimals: number): string {
  const power = powers[decimals] ?? 1
  return unpadded(Math.round(value * power) / power)
}

/** Rounded to at most so many significant digits. */
export function significant(value: number, digits: number): string {
  return unpadded(Number(value.toPrecision(digits)))
}

/** The position of a parser, and the end of its input. */
export interface Cursor {
  at: number
  to: number
}

/** The number at the cursor; NaN where there is none. */
export function readNumber(bytes: Uint8Array, cursor: Cursor): number {
  skipBlanks(bytes, cursor)
  const { to } = cursor
  let { at } = cursor
  let value = 0
  let digits = 0
  let decimals = 0
  const negative = bytes[at] === 45
  if (negative || bytes[at] === 43) at++
  for (; at < to; at++) {
    const digit = (bytes[at] ?? 0) - 48
    if (digit < 0 || digit > 9) break
    value = value * 10 + digit
    digits++
  }
  if (bytes[at] === 46)
    for (at++; at < to; at++) {
      const digit = (bytes[at] ?? 0) - 48
      if (digit < 0 || digit > 9) break
      if (decimals < 15) {
        value = value * 10 + digit
        decimals++
      }
      digits++
    }
  if (digits === 0) return Number.NaN
  value /= powers[decimals] ?? 1
  if (at < to && ((bytes[at] ?? 0) & 0xdf) === 69) {
    const start = ++at
    if (bytes[at] === 45 || bytes[at] === 43) at++
    while (at < to && (bytes[at] ?? 0) >= 48 && (bytes[at] ?? 0) <= 57) at++
    value *= 10 ** Number(String.fromCharCode(...bytes.subarray(start, Math.min(at, start + 5))))
  }
  cursor.at = at
  return negative ? -value : value
}

export function skipBlanks(bytes: Uint8Array, cursor: Cursor): void {
  for (; cursor.at < cursor.to; cursor.at++) {
    const code = bytes[cursor.at]
    if (code !== 32 && code !== 44 && code !== 10 && code !== 13 && code !== 9) return
  }
}

/** Without the zero before the decimal point. */
export function unpadded(value: number): string {
  const text = String(value)
  if (text.startsWith('0.')) return text.slice(1)
  if (text.startsWith('-0.')) return `-${text.slice(2)}`
  return text
}

const powers = Array.from({ length: 23 }, (_, n) => 10 ** n)
