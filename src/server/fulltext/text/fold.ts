import { toSimplified } from './simplified.ts'

/**
 * Normalises a text for comparison: lower case, half width, simplified, without accents. Punctuation becomes one space;
 * whitespace becomes a space only between two Latin words, so that Chinese is found across a line break, and with or
 * without a space beside Latin. A substring of a text folds to a substring of the folded text: every search is a substring
 * search.
 */
export function fold(text: string): string {
  return write(text, undefined)
}

export interface FoldedText {
  text: string
  /** Where the character at index `at` of the folded text starts and ends in the original. */
  from(at: number): number
  to(at: number): number
}

export function foldWithMap(text: string): FoldedText {
  const origins: number[] = []
  const folded = write(text, origins)
  const from = (at: number) => origins[at] ?? 0
  return { text: folded, from, to: (at) => from(at) + (isSurrogatePair(text, from(at)) ? 2 : 1) }
}

const spaceClass = 0
const letterClass = 1
const unspacedClass = 2

/** Of characters of a folded text. */
export const CharacterClass = {
  Space: spaceClass,
  /** Of a script with spaces between words: Latin, Greek, Cyrillic, digits … */
  Letter: letterClass,
  /** Of a script without spaces: hanzi, kana, Hangul, Thai … Each character is a token. */
  Unspaced: unspacedClass,
} as const
export type CharacterClass = (typeof CharacterClass)[keyof typeof CharacterClass]

export function classOf(code: number): CharacterClass {
  if (code === space) return spaceClass
  if (code < 0x80) return letterClass
  if (isSurrogate(code)) return unspacedClass
  // The text may have been folded by another process, so that this one has not looked the character up yet.
  if (classes[code] === 0) lookUp(code)
  return classes[code] === unspacedClass ? unspacedClass : letterClass
}

const space = 0x20
const dot = 0x2e
const plus = 0x2b
const hash = 0x23

/**
 * What each UTF-16 code unit folds to: a positive number is the folded code unit shifted left by two, with its class in
 * the two low bits; the others are these.
 */
const notLookedUp = 0
/** Nothing: accents, soft hyphens. */
const dropped = -1
/** Whitespace: a space only between two letters. */
const whitespace = -2
/** Punctuation: always a space. */
const punctuation = -3
/** `.`, `+` or `#`, which may be part of a name: .NET, C++, C#. */
const symbol = -4
/** More than one character, in `expansions`: ㎡ folds to m2. */
const expanded = -5

const table = new Int32Array(0x10000)
const classes = new Uint8Array(0x10000)
const expansions = new Map<number, string>()
let buffer = new Uint16Array(4096)

function write(text: string, origins: number[] | undefined): string {
  // Characters that expand to more than two enlarge the buffer when they are met.
  if (buffer.length < text.length * 2 + 64) buffer = new Uint16Array(text.length * 2 + 64)
  let length = 0
  let lastClass: number = spaceClass
  /** Whitespace or punctuation since the last character; 0 for none. */
  let gap = 0

  /** The fast path, for nearly all of a text: characters that fold to one each, without gaps. Returns where it ends. */
  const putPlain = (from: number): number => {
    while (length + text.length - from >= buffer.length) buffer = enlarged(buffer)
    const [into, end, offset] = [buffer, text.length, length - from]
    let at = from
    let last = 0
    for (; at < end; at++) {
      const entry = table[text.charCodeAt(at)] ?? notLookedUp
      if (entry <= 0) break
      into[offset + at] = entry >> 2
      last = entry
    }
    if (origins) for (let index = from; index < at; index++) origins.push(index)
    if (at > from) lastClass = last & 3
    length = offset + at
    return at
  }
  const put = (code: number, characterClass: number, at: number) => {
    if (length + 2 >= buffer.length) buffer = enlarged(buffer)
    const isBetweenLetters = lastClass === letterClass && characterClass === letterClass
    if (gap && lastClass && (gap === punctuation || isBetweenLetters)) {
      origins?.push(at)
      buffer[length++] = space
    }
    gap = 0
    lastClass = characterClass
    origins?.push(at)
    buffer[length++] = code
  }
  /** A dot counts before a letter, `+` and `#` directly after one. */
  const putSymbol = (code: number, next: number, at: number) => {
    const isInName = code === dot ? next > 0 && (next & 3) === letterClass : lastClass === letterClass && !gap
    if (isInName) put(code, letterClass, at)
    else gap = punctuation
  }
  const putExpansion = (expansion: string, next: number, at: number) => {
    for (let index = 0; index < expansion.length; index++) {
      const code = expansion.charCodeAt(index)
      const following = index + 1 < expansion.length ? lookUp(expansion.charCodeAt(index + 1)) : next
      if (isSurrogatePair(expansion, index)) {
        put(code, unspacedClass, at)
        put(expansion.charCodeAt(++index), unspacedClass, at)
      } else putCharacter(code, following, at)
    }
  }
  const putCharacter = (code: number, next: number, at: number) => {
    const entry = lookUp(code)
    if (entry > 0) put(entry >> 2, entry & 3, at)
    else if (entry === symbol) putSymbol(foldedSymbol(code), next, at)
    else if (entry === expanded) putExpansion(expansions.get(code) ?? '', next, at)
    else if (entry === punctuation || (entry === whitespace && gap === 0)) gap = entry
  }

  for (let at = 0; at < text.length; at++) {
    if (gap === 0) at = putPlain(at)
    if (at >= text.length) break
    if (isSurrogatePair(text, at)) {
      putExpansion(foldCodePoint(text.codePointAt(at) ?? 0), firstEntryAt(text, at + 2), at)
      at++
    } else putCharacter(text.charCodeAt(at), firstEntryAt(text, at + 1), at)
  }
  return Buffer.from(buffer.buffer, 0, length * 2).toString('utf16le')
}

function enlarged(full: Uint16Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(full.length * 2)
  larger.set(full)
  return larger
}

/** The table entry of what the character at this index begins with: a dot is part of a name only before a letter. */
function firstEntryAt(text: string, at: number): number {
  if (at >= text.length) return notLookedUp
  const entry = lookUp(text.charCodeAt(at))
  return entry === expanded ? lookUp((expansions.get(text.charCodeAt(at)) ?? ' ').charCodeAt(0)) : entry
}

function lookUp(code: number): number {
  const cached = table[code] ?? notLookedUp
  if (cached !== notLookedUp) return cached
  const entry = computeEntry(code)
  table[code] = entry
  return entry
}

function computeEntry(code: number): number {
  if (isSurrogate(code)) return punctuation
  const folded = foldCharacter(String.fromCharCode(code))
  if (folded === '') return dropped
  if (folded.length > 1) {
    expansions.set(code, folded)
    return expanded
  }
  const to = folded.charCodeAt(0)
  if (to === dot || to === plus || to === hash) return symbol
  if (/\s/u.test(folded)) return whitespace
  if (/[^\p{L}\p{N}\p{M}]/u.test(folded)) return punctuation
  classes[to] = unspacedScripts.test(folded) ? unspacedClass : letterClass
  return (to << 2) | classes[to]
}

const unspacedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}ー々〇]/u
/** Accents, soft hyphens, direction marks, joiners, variation selectors. */
const invisible = /[\u0300-\u036f]|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]|[\ufe00-\ufe0f]/gu

function foldCharacter(character: string): string {
  const plain = character.normalize('NFKC').toLowerCase()
  // Only Latin, Greek and Cyrillic lose their accents; in other scripts marks are letters.
  const bare = /^[\u00c0-\u058f\u1e00-\u1fff]/u.test(plain) ? plain.normalize('NFD') : plain
  return Array.from(bare.replace(invisible, ''), toSimplified).join('')
}

/** Beyond the Basic Multilingual Plane only rare hanzi and styled letters count as text; the rest is punctuation. */
function foldCodePoint(point: number): string {
  const folded = foldCharacter(String.fromCodePoint(point))
  return /^[\p{L}\p{N}]/u.test(folded) ? folded : '|'
}

function foldedSymbol(code: number): number {
  return String.fromCharCode(code).normalize('NFKC').charCodeAt(0)
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xe000
}

function isSurrogatePair(text: string, at: number): boolean {
  const high = text.charCodeAt(at)
  if (high < 0xd800 || high >= 0xdc00) return false
  const low = text.charCodeAt(at + 1)
  return low >= 0xdc00 && low < 0xe000
}
