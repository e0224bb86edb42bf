/** A tag as it stands in the bytes; the same object is used again for the next one. */
export interface Tag {
  name: string
  kind: 'open' | 'close' | 'empty'
  value(attribute: string): string | undefined
  /** A value that comes again and again. */
  word(attribute: string): string | undefined
  /** Where the value of an attribute lies, for those too long to be copied. */
  range(attribute: string): readonly [from: number, to: number] | undefined
  /** The names of its attributes: the first `count` of these. */
  names: readonly string[]
  count: number
}

/** Walks over the tags of an SVG. Text, comments, declarations and CDATA are passed over. */
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
    word(attribute) {
      const n = find(attribute)
      return n < 0 ? undefined : word(bytes, starts[n] ?? 0, ends[n] ?? 0)
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
    at = bytes.indexOf(60, at)
    if (at < 0) return
    const next = bytes[at + 1]
    if (next === 33 || next === 63) {
      const end = next === 63 ? '?>' : bytes[at + 2] === 45 ? '-->' : bytes[at + 2] === 91 ? ']]>' : '>'
      at = bytes.indexOf(end, at)
      if (at < 0) return
      at += end.length
      continue
    }
    const closing = next === 47
    let from = closing ? at + 2 : at + 1
    at = wordEnd(bytes, from)
    tag.name = word(bytes, from, at)
    tag.kind = closing ? 'close' : 'open'
    count = 0
    for (;;) {
      while (at < bytes.length && isBlank(bytes[at])) at++
      if (at >= bytes.length) return
      if (bytes[at] === 62) {
        at++
        break
      }
      if (bytes[at] === 47) {
        if (!closing) tag.kind = 'empty'
        at++
        continue
      }
      from = at
      at = wordEnd(bytes, from)
      if (at === from) {
        at++
        continue
      }
      const nameEnd = at
      while (at < bytes.length && isBlank(bytes[at])) at++
      if (bytes[at] !== 61) continue
      at++
      while (at < bytes.length && isBlank(bytes[at])) at++
      const quote = bytes[at]
      if (quote !== 34 && quote !== 39) continue
      const end = quoteAt(bytes, quote, at + 1)
      if (end < 0) return
      names[count] = word(bytes, from, nameEnd)
      starts[count] = at + 1
      ends[count] = end
      count++
      at = end + 1
    }
    tag.count = count
    visit(tag)
  }
}

/** The first byte that is none of a name: blank, `=`, `>`, `/`, a quote. */
function wordEnd(bytes: Buffer, from: number): number {
  let at = from
  for (; at < bytes.length; at++) {
    const code = bytes[at] ?? 0
    if (code <= 32 || code === 61 || code === 62 || code === 47 || code === 34 || code === 39) break
  }
  return at
}

/** Names come again and again: each is made a string once. */
const words = new Map<number, string>()

function word(bytes: Buffer, from: number, to: number): string {
  let key = to - from
  for (let at = from; at < to; at++) key = Math.imul(key, 31) + (bytes[at] ?? 0)
  const known = words.get(key)
  if (known !== undefined && isAt(bytes, from, to, known)) return known
  const text = bytes.toString('latin1', from, to)
  if (words.size >= 20_000) words.clear()
  if (text.length < 40) words.set(key, text)
  return text
}

function isAt(bytes: Buffer, from: number, to: number, text: string): boolean {
  if (text.length !== to - from) return false
  for (let n = 0; n < text.length; n++) if (bytes[from + n] !== text.charCodeAt(n)) return false
  return true
}

/** Most values are short: asking the library where they end would take longer than looking. */
function quoteAt(bytes: Buffer, quote: number, from: number): number {
  const near = Math.min(bytes.length, from + 80)
  for (let at = from; at < near; at++) if (bytes[at] === quote) return at
  return bytes.indexOf(quote, near)
}

function isBlank(code: number | undefined): boolean {
  return code !== undefined && code <= 32
}
