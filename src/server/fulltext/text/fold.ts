import { simplified } from './simplified.ts'

/**
 * Texts as they are compared: lower case, half width, simplified, without accents. What stands between words is one space
 * where it matters and nothing where it does not: Chinese is found across a line break, and with or without a space beside
 * Latin. A part of a text folds to a part of the folded text, so that looking for substrings is enough everywhere.
 */
export interface Folded {
  text: string
  /** Where the character behind index `at` of the folded text begins and ends in the original. */
  from(at: number): number
  to(at: number): number
}

export function fold(text: string): string {
  return write(text, undefined)
}

export function foldWithMap(text: string): Folded {
  const origins: number[] = []
  const folded = write(text, origins)
  const from = (at: number) => origins[at] ?? 0
  return { text: folded, from, to: (at) => from(at) + (isPair(text, from(at)) ? 2 : 1) }
}

/** A script written in words, with spaces between them, or one without: there each character stands for itself. */
export const letter = 1
const unit = 2

/** Of a character of a folded text; 0 is the space. */
export function classOf(code: number): number {
  if (code === space) return 0
  if (code < 0x80) return letter
  if (isSurrogate(code)) return unit
  // A folded text may have been folded elsewhere: then this may be the first look at the character here.
  if (classes[code] === 0) lookUp(code)
  return classes[code] || letter
}

const space = 0x20
const dot = 0x2e
const plus = 0x2b
const hash = 0x23

/** What becomes of a character: its folded one with its class in the two low bits, or one of these. */
const dropped = -1
const blank = -2
const pause = -3
const symbol = -4
const several = -5
const unknown = 0

const table = new Int32Array(0x10000)
const classes = new Uint8Array(0x10000)
const expansions = new Map<number, string>()
let buffer = new Uint16Array(4096)

function write(text: string, origins: number[] | undefined): string {
  // Nothing becomes longer than eighteen times itself; the rare ones make room for themselves.
  if (buffer.length < text.length * 2 + 64) buffer = new Uint16Array(text.length * 2 + 64)
  let length = 0
  let last = 0
  let gap = 0

  /** Nearly all of a text: characters that become one each, with nothing between them. Returns where they end. */
  const putPlain = (from: number): number => {
    while (length + text.length - from >= buffer.length) buffer = enlarged(buffer)
    const [into, end, offset] = [buffer, text.length, length - from]
    let at = from
    let kept = 0
    for (; at < end; at++) {
      const found = table[text.charCodeAt(at)] ?? unknown
      if (found <= 0) break
      into[offset + at] = found >> 2
      kept = found
    }
    if (origins) for (let place = from; place < at; place++) origins.push(place)
    if (at > from) last = kept & 3
    length = offset + at
    return at
  }
  const put = (code: number, kind: number, at: number) => {
    if (length + 2 >= buffer.length) buffer = enlarged(buffer)
    if (gap && last && (gap === pause || (last === letter && kind === letter))) {
      origins?.push(at)
      buffer[length++] = space
    }
    gap = 0
    last = kind
    origins?.push(at)
    buffer[length++] = code
  }
  const putSymbol = (code: number, next: number, at: number) => {
    const belongs = code === dot ? next > 0 && (next & 3) === letter : last === letter && !gap
    if (belongs) put(code, letter, at)
    else gap = pause
  }
  const putExpansion = (expansion: string, next: number, at: number) => {
    for (let index = 0; index < expansion.length; index++) {
      const code = expansion.charCodeAt(index)
      const following = index + 1 < expansion.length ? lookUp(expansion.charCodeAt(index + 1)) : next
      if (isPair(expansion, index)) {
        put(code, unit, at)
        put(expansion.charCodeAt(++index), unit, at)
      } else putOne(code, following, at)
    }
  }
  const putOne = (code: number, next: number, at: number) => {
    const found = lookUp(code)
    if (found > 0) put(found >> 2, found & 3, at)
    else if (found === symbol) putSymbol(foldedSymbol(code), next, at)
    else if (found === several) putExpansion(expansions.get(code) ?? '', next, at)
    else if (found === pause || (found === blank && gap === 0)) gap = found
  }

  for (let at = 0; at < text.length; at++) {
    if (gap === 0) at = putPlain(at)
    if (at >= text.length) break
    if (isPair(text, at)) {
      putExpansion(foldPair(text.codePointAt(at) ?? 0), firstOf(text, at + 2), at)
      at++
    } else putOne(text.charCodeAt(at), firstOf(text, at + 1), at)
  }
  return Buffer.from(buffer.buffer, 0, length * 2).toString('utf16le')
}

function enlarged(full: Uint16Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(full.length * 2)
  larger.set(full)
  return larger
}

/** What the next character begins with, for the dot that is part of a name only before a letter. */
function firstOf(text: string, at: number): number {
  if (at >= text.length) return unknown
  const found = lookUp(text.charCodeAt(at))
  return found === several ? lookUp((expansions.get(text.charCodeAt(at)) ?? ' ').charCodeAt(0)) : found
}

function lookUp(code: number): number {
  const known = table[code] ?? unknown
  if (known !== unknown) return known
  const found = describe(code)
  table[code] = found
  return found
}

function describe(code: number): number {
  if (isSurrogate(code)) return pause
  const folded = foldCharacter(String.fromCharCode(code))
  if (folded === '') return dropped
  if (folded.length > 1) {
    expansions.set(code, folded)
    return several
  }
  const to = folded.charCodeAt(0)
  if (to === dot || to === plus || to === hash) return symbol
  if (/\s/u.test(folded)) return blank
  if (/[^\p{L}\p{N}\p{M}]/u.test(folded)) return pause
  classes[to] = ownCharacters.test(folded) ? unit : letter
  return (to << 2) | classes[to]
}

const ownCharacters =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}ー々〇]/u
/** Accents, soft hyphens, marks of direction, joiners, variants. */
const invisible = /[\u0300-\u036f]|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]|[\ufe00-\ufe0f]/gu

function foldCharacter(character: string): string {
  const plain = character.normalize('NFKC').toLowerCase()
  // Accents go from Latin, Greek and Cyrillic; elsewhere marks are letters.
  const bare = /^[\u00c0-\u058f\u1e00-\u1fff]/u.test(plain) ? plain.normalize('NFD') : plain
  return Array.from(bare.replace(invisible, ''), simplified).join('')
}

/** Beyond the first 65,536 only rare hanzi and styled letters count as text. */
function foldPair(point: number): string {
  const folded = foldCharacter(String.fromCodePoint(point))
  return /^[\p{L}\p{N}]/u.test(folded) ? folded : '|'
}

function foldedSymbol(code: number): number {
  return String.fromCharCode(code).normalize('NFKC').charCodeAt(0)
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xe000
}

function isPair(text: string, at: number): boolean {
  const high = text.charCodeAt(at)
  if (high < 0xd800 || high >= 0xdc00) return false
  const low = text.charCodeAt(at + 1)
  return low >= 0xdc00 && low < 0xe000
}
