import { errors } from '#shared/errors.ts'

const maxDepth = 32
/** Objects, arrays and the commas between their items. The widest input of the contract has a third of it. */
const maxParts = 10_000

const decoder = new TextDecoder()

/**
 * The object of a JSON body; an empty body counts as an empty object. What `JSON.parse` would make many objects of is
 * refused by its bytes: eight megabytes of brackets take it a second, and two hundred times their size in memory.
 */
export function parseBody(bytes: Uint8Array): object {
  let start = 0
  while (start < bytes.length && isBlank(bytes[start])) start += 1
  if (start === bytes.length) return {}
  if (bytes[start] !== codeOf.openBrace) throw errors.request.notObject()
  if (isComplex(bytes)) throw errors.request.tooComplex()
  try {
    return JSON.parse(decoder.decode(bytes)) as object
  } catch {
    throw errors.request.notJson()
  }
}

const codeOf = {
  quote: 0x22,
  comma: 0x2c,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const

/** White space, and the bytes of a byte order mark. */
function isBlank(byte = 0): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0xef || byte === 0xbb || byte === 0xbf
}

/** Whether it is nested too deeply or has too many items. Looks at each byte once, also in what is no JSON. */
function isComplex(bytes: Uint8Array): boolean {
  let depth = 0
  let parts = 0
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case codeOf.quote:
        at = endOfString(bytes, at)
        break
      case codeOf.openBracket:
      case codeOf.openBrace:
        depth += 1
        parts += 1
        break
      case codeOf.closeBracket:
      case codeOf.closeBrace:
        depth -= 1
        break
      case codeOf.comma:
        parts += 1
    }
    if (depth > maxDepth || parts > maxParts) return true
  }
  return false
}

/** Where the closing quote stands, or the end of the bytes. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== codeOf.quote) at += bytes[at] === codeOf.backslash ? 2 : 1
  return at
}
