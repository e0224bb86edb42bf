import { classOf, letter } from './fold.ts'

/** What a folded text is filed under. */
export interface Tokens {
  /** Pairs of hanzi, and words: what a page is filed under. */
  page: Set<string>
  /** Single hanzi and first letters. Nearly every page has them, so only whole entries are filed under these too. */
  entry: Set<string>
  words: Set<string>
}

/** Longer ones are filed in overlapping parts, so that every fragment up to `longestFragment` lies within one of them. */
const longestWord = 32
export const longestFragment = 16

export function tokenise(folded: string): Tokens {
  const tokens: Tokens = { page: new Set(), entry: new Set(), words: new Set() }
  for (const { text, isWord } of runsOf(folded)) {
    if (isWord) addWord(text, tokens)
    else addCharacters(text, tokens)
  }
  return tokens
}

export interface Run {
  text: string
  isWord: boolean
  from: number
}

/** The words and the rows of hanzi that a folded text consists of. */
export function runsOf(folded: string): Run[] {
  const runs: Run[] = []
  let from = 0
  let kind = 0
  for (let at = 0; at <= folded.length; at++) {
    const next = at < folded.length ? classOf(folded.charCodeAt(at)) : 0
    if (next === kind) continue
    if (kind) runs.push({ text: folded.slice(from, at), isWord: kind === letter, from })
    from = at
    kind = next
  }
  return runs
}

/** Pairs of neighbours in a row of hanzi; none when it is one alone. */
export function pairsOf(run: string): string[] {
  const characters = Array.from(run)
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/** All words with this first letter. */
export function beginningWith(word: string): string {
  return `\ue000${word[0]}`
}

function addWord(word: string, { page, entry, words }: Tokens): void {
  entry.add(beginningWith(word))
  for (const part of partsOf(word)) {
    page.add(part)
    words.add(part)
  }
}

function addCharacters(run: string, { page, entry }: Tokens): void {
  let previous = ''
  for (const character of run) {
    entry.add(character)
    if (previous) page.add(previous + character)
    previous = character
  }
}

function partsOf(word: string): string[] {
  if (word.length <= longestWord) return [word]
  const parts: string[] = []
  for (let from = 0; from === 0 || from + longestFragment < word.length; from += longestFragment)
    parts.push(word.slice(from, from + longestWord))
  return parts
}
