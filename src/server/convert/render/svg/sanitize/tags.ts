/** A tag of the input; the same object is used again for the next one. */
export interface Tag {
  name: string
  kind: 'open' | 'close' | 'empty'
  value(attribute: string): string | undefined
  /** The same as `value`, cached: for values that are often repeated. */
  internedValue(attribute: string): string | undefined
  /** The position of a value in the bytes, for values too long to copy. */
  range(attribute: string): readonly [from: number, to: number] | undefined
  /** The names of the attributes are the first `count` of these. */
  names: readonly string[]
  count: number
}

const [space, exclamation, doubleQuote, singleQuote, dash, slash] = [0x20, 0x21, 0x22, 0x27, 0x2d, 0x2f]
const [lessThan, equals, greaterThan, question, bracket] = [0x3c, 0x3d, 0x3e, 0x3f, 0x5b]

/** Visits the tags of an SVG. Text, comments, declarations and CDATA are skipped. */
export function readTags(bytes: Buffer, visit: (tag: Tag) => void): void {
  const names: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  let count = 0
  const tag: Tag = {
    name: '',
    kind: 'open',
    value(attribute) {
      const n = find(attribute)
      return n < 0 ? undefined : bytes.toString('latin1', starts[n], ends[n])
    },
    internedValue(attribute) {
      const n = find(attribute)
      return n < 0 ? undefined : intern(bytes, starts[n] ?? 0, ends[n] ?? 0)
    },
    range(attribute) {
      const n = find(attribute)
      return n < 0 ? undefined : [starts[n] ?? 0, ends[n] ?? 0]
    },
    names,
    count: 0,
  }
  const find = (attribute: string) => {
    for (let n = 0; n < count; n++) if (names[n] === attribute) return n
    return -1
  }

  let at = 0
  for (;;) {
    at = bytes.indexOf(lessThan, at)
    if (at < 0) return
    const next = bytes[at + 1]
    if (next === exclamation || next === question) {
      const end = next === question ? '?>' : bytes[at + 2] === dash ? '-->' : bytes[at + 2] === bracket ? ']]>' : '>'
      at = bytes.indexOf(end, at)
      if (at < 0) return
      at += end.length
      continue
    }
    const isClosing = next === slash
    let from = isClosing ? at + 2 : at + 1
    at = nameEnd(bytes, from)
    tag.name = intern(bytes, from, at)
    tag.kind = isClosing ? 'close' : 'open'
    count = 0
    for (;;) {
      while (at < bytes.length && isBlank(bytes[at])) at++
      if (at >= bytes.length) return
      if (bytes[at] === greaterThan) {
        at++
        break
      }
      if (bytes[at] === slash) {
        if (!isClosing) tag.kind = 'empty'
        at++
        continue
      }
      from = at
      at = nameEnd(bytes, from)
      if (at === from) {
        at++
        continue
      }
      const endOfName = at
      while (at < bytes.length && isBlank(bytes[at])) at++
      if (bytes[at] !== equals) continue
      at++
      while (at < bytes.length && isBlank(bytes[at])) at++
      const quote = bytes[at]
      if (quote !== doubleQuote && quote !== singleQuote) continue
      const end = findQuote(bytes, quote, at + 1)
      if (end < 0) return
      names[count] = intern(bytes, from, endOfName)
      starts[count] = at + 1
      ends[count] = end
      count++
      at = end + 1
    }
    tag.count = count
    visit(tag)
  }
}

/** Names end at a blank, `=`, `>`, `/` or a quote. */
function nameEnd(bytes: Buffer, from: number): number {
  let at = from
  for (; at < bytes.length; at++) {
    const code = bytes[at] ?? 0
    if (code <= space || code === equals || code === greaterThan || code === slash) break
    if (code === doubleQuote || code === singleQuote) break
  }
  return at
}

/** Names are repeated often: each becomes a string once. */
const interned = new Map<number, string>()

function intern(bytes: Buffer, from: number, to: number): string {
  let key = to - from
  for (let at = from; at < to; at++) key = Math.imul(key, 31) + (bytes[at] ?? 0)
  const cached = interned.get(key)
  if (cached !== undefined && equalsAt(bytes, from, to, cached)) return cached
  const text = bytes.toString('latin1', from, to)
  if (interned.size >= 20_000) interned.clear()
  if (text.length < 40) interned.set(key, text)
  return text
}

function equalsAt(bytes: Buffer, from: number, to: number, text: string): boolean {
  if (text.length !== to - from) return false
  for (let n = 0; n < text.length; n++) if (bytes[from + n] !== text.charCodeAt(n)) return false
  return true
}

/** Most values are short: for them a loop is faster than `indexOf`. */
function findQuote(bytes: Buffer, quote: number, from: number): number {
  const near = Math.min(bytes.length, from + 80)
  for (let at = from; at < near; at++) if (bytes[at] === quote) return at
  return bytes.indexOf(quote, near)
}

function isBlank(code: number | undefined): boolean {
  return code !== undefined && code <= space
}
