import { fold } from '../text/fold.ts'
import { pairsOf, runsOf } from '../text/tokenize.ts'

/** What somebody looks for. */
export interface Query {
  /** All that was typed, in a row. */
  phrase: Needle
  /** Its words; the phrase alone when there is one word. */
  words: Needle[]
}

/** A substring of folded texts, and the tokens that every text with it has. */
export interface Needle {
  text: string
  pairs: string[]
  /** Hanzi that stand alone in it. */
  singles: string[]
  /** Words that it touches, perhaps only with their ends. */
  fragments: Fragment[]
}

export interface Fragment {
  text: string
  /** The word may go on to this side. */
  openLeft: boolean
  openRight: boolean
}

const longestQuery = 512
const mostWords = 16
const mostTokens = 10

/** Undefined when there is nothing in it to look for. */
export function readQuery(typed: string): Query | undefined {
  const shortened = typed.slice(0, longestQuery)
  const phrase = needleOf(shortened)
  if (!phrase) return undefined
  const words = new Map<string, Needle>()
  for (const part of shortened.split(/\s+/u)) {
    const needle = words.size < mostWords ? needleOf(part) : undefined
    if (needle) words.set(needle.text, needle)
  }
  return { phrase, words: words.size > 1 ? [...words.values()] : [phrase] }
}

function needleOf(typed: string): Needle | undefined {
  const text = fold(typed)
  if (!text) return undefined
  const runs = runsOf(text)
  const characters = runs.filter(({ isWord }) => !isWord)
  const pairs = characters.flatMap(({ text }) => pairsOf(text))
  const fragments = runs
    .filter(({ isWord }) => isWord)
    .map((run) => ({
      text: run.text,
      openLeft: run.from === 0,
      openRight: run.from + run.text.length === text.length,
    }))
  const singles = characters.map(({ text }) => text).filter((run) => pairsOf(run).length === 0)
  return { text, pairs: distinct(pairs), singles: distinct(singles), fragments: spread(fragments) }
}

function distinct(tokens: string[]): string[] {
  return spread([...new Set(tokens)])
}

/** Some of many, from all over: enough to find the few texts that have them all. */
function spread<T>(list: T[]): T[] {
  if (list.length <= mostTokens) return list
  return Array.from({ length: mostTokens }, (_, index) =>
    list.at(Math.floor((index * list.length) / mostTokens)),
  ).filter((one) => one !== undefined)
}
