import { CharacterClass, classOf } from './fold.ts'

/** What a folded text is indexed by. */
export interface Tokens {
  /** Of every page: bigrams of hanzi, and Latin words. */
  page: Set<string>
  /** Only of whole entries, since nearly every page has them: single hanzi, and initials of Latin words. */
  entry: Set<string>
  /** The Latin words among them, for the vocabulary. */
  words: Set<string>
}

/** A longer word is indexed in overlapping parts, so that one of them contains any fragment up to `maxFragmentLength`. */
const maxWordLength = 32
export const maxFragmentLength = 16

export function tokenize(folded: string): Tokens {
  const tokens: Tokens = { page: new Set(), entry: new Set(), words: new Set() }
  for (const { text, isWord } of splitRuns(folded)) {
    if (isWord) addWord(text, tokens)
    else addBigrams(text, tokens)
  }
  return tokens
}

export interface Run {
  text: string
  isWord: boolean
  from: number
}

/** Splits a folded text into Latin words and runs of hanzi. */
export function splitRuns(folded: string): Run[] {
  const runs: Run[] = []
  let from = 0
  let current: CharacterClass = CharacterClass.Space
  for (let at = 0; at <= folded.length; at++) {
    const next = at < folded.length ? classOf(folded.charCodeAt(at)) : CharacterClass.Space
    if (next === current) continue
    if (current !== CharacterClass.Space)
      runs.push({ text: folded.slice(from, at), isWord: current === CharacterClass.Letter, from })
    from = at
    current = next
  }
  return runs
}

/** Overlapping pairs of characters; none for a single one. */
export function toBigrams(run: string): string[] {
  const characters = Array.from(run)
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/** The token of all words with the same first letter. */
export function initialToken(word: string): string {
  return `\ue000${word[0]}`
}

function addWord(word: string, { page, entry, words }: Tokens): void {
  entry.add(initialToken(word))
  for (const part of splitLongWord(word)) {
    page.add(part)
    words.add(part)
  }
}

function addBigrams(run: string, { page, entry }: Tokens): void {
  let previous = ''
  for (const character of run) {
    entry.add(character)
    if (previous) page.add(previous + character)
    previous = character
  }
}

function splitLongWord(word: string): string[] {
  if (word.length <= maxWordLength) return [word]
  const parts: string[] = []
  for (let from = 0; from === 0 || from + maxFragmentLength < word.length; from += maxFragmentLength)
    parts.push(word.slice(from, from + maxWordLength))
  return parts
}
