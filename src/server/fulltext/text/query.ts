import { fold } from './fold.ts'
import { splitRuns, toBigrams } from './tokenize.ts'

export interface ParsedQuery {
  /** Everything that was typed, as one substring. */
  phrase: Needle
  /** The words between spaces; the phrase alone when there is only one word. */
  words: Needle[]
}

/** A substring to find in folded texts, and tokens that every text containing it has. */
export interface Needle {
  text: string
  bigrams: string[]
  /** Hanzi without a hanzi beside them, so that they are in no bigram. */
  singles: string[]
  /** Its Latin words; at either end of the needle perhaps only part of a word. */
  fragments: Fragment[]
}

export interface Fragment {
  text: string
  /** Whether the word in the text may continue on this side. */
  openLeft: boolean
  openRight: boolean
}

const maxQueryLength = 512
const maxWords = 16
const maxTokens = 10

/** Undefined for a query without letters, digits or hanzi. */
export function parseQuery(typed: string): ParsedQuery | undefined {
  const shortened = typed.slice(0, maxQueryLength)
  const phrase = toNeedle(shortened)
  if (!phrase) return undefined
  const words = new Map<string, Needle>()
  for (const part of shortened.split(/\s+/u)) {
    const needle = words.size < maxWords ? toNeedle(part) : undefined
    if (needle) words.set(needle.text, needle)
  }
  return { phrase, words: words.size > 1 ? [...words.values()] : [phrase] }
}

function toNeedle(typed: string): Needle | undefined {
  const text = fold(typed)
  if (!text) return undefined
  const runs = splitRuns(text)
  const hanziRuns = runs.filter(({ isWord }) => !isWord).map((run) => run.text)
  const bigrams = hanziRuns.flatMap((run) => toBigrams(run))
  const singles = hanziRuns.filter((run) => toBigrams(run).length === 0)
  const fragments = runs
    .filter(({ isWord }) => isWord)
    .map((run) => ({
      text: run.text,
      openLeft: run.from === 0,
      openRight: run.from + run.text.length === text.length,
    }))
  return { text, bigrams: distinct(bigrams), singles: distinct(singles), fragments: sampleEvenly(fragments) }
}

function distinct(tokens: string[]): string[] {
  return sampleEvenly([...new Set(tokens)])
}

/** A long needle is looked up by a sample of its tokens: few texts have all of them, and those are rechecked. */
function sampleEvenly<T>(list: T[]): T[] {
  if (list.length <= maxTokens) return list
  return Array.from({ length: maxTokens }, (_, index) => list.at(Math.floor((index * list.length) / maxTokens))).filter(
    (item) => item !== undefined,
  )
}
