import type { Fragment, Needle } from './query.ts'
import type { Match } from './store.ts'
import { beginningWith, longestFragment } from '../text/tokenize.ts'
import { mostWords, type Vocabulary } from '../text/vocabulary.ts'

/** A database looks up so many words at once. */
const alternatives = 256

/**
 * How to find a needle, the better matches first: for a part of a word, texts with that word, then with words that begin
 * so, then with words that have it inside. Nothing when no text can have it.
 */
export function matchesOf(needle: Needle, vocabulary: Vocabulary): Match[] {
  const [lone] = needle.fragments
  if (lone && lone.text === needle.text) return loneMatches(lone, vocabulary)
  const match = matchOf(needle, vocabulary)
  return match ? [match] : []
}

/** The same as one, for use beside other words: those beyond the first few hundred words with a fragment may be missing. */
export function matchOf(needle: Needle, vocabulary: Vocabulary): Match | undefined {
  const [lone] = needle.fragments
  if (lone && lone.text === needle.text) return mergedLone(lone, vocabulary)
  const any = needle.pairs.map((token) => [token])
  for (const fragment of needle.fragments) {
    const { words, cut } = vocabulary.wordsWith(fragment, alternatives)
    if (words.length === 0) return undefined
    if (!cut) any.push(words)
  }
  const isBroad = any.length === 0
  if (isBroad) any.push(...broadTokens(needle).map((token) => [token]))
  return { any, has: any.length === 1 && needle.text === any[0]?.[0] ? [] : [needle.text], isBroad }
}

export function bothOf(matches: readonly Match[]): Match {
  return {
    any: matches.flatMap(({ any }) => any),
    has: [...new Set(matches.flatMap(({ has }) => has))],
    isBroad: matches.some(({ isBroad }) => isBroad),
  }
}

/** Too many words could be meant at either end; each of them has at least its first letter. */
function broadTokens({ singles, fragments }: Needle): string[] {
  const last = fragments.at(-1)
  return last && !last.openLeft ? [...singles, beginningWith(last.text)] : singles
}

function loneMatches(fragment: Fragment, vocabulary: Vocabulary): Match[] {
  const { text } = fragment
  if (text.length === 1)
    return [
      { any: [[text]], has: [], isBroad: false },
      { any: [[beginningWith(text)]], has: [], isBroad: true },
    ]
  const { words } = vocabulary.wordsWith(fragment, mostWords)
  const piece = text.slice(0, longestFragment)
  const beginnings = words.filter((word) => word.startsWith(piece))
  const others = words.filter((word) => !word.startsWith(piece))
  const has = hasOf(text)
  return [...chunks(beginnings), ...chunks(others)].map((some) => ({ any: [some], has, isBroad: false }))
}

function mergedLone(fragment: Fragment, vocabulary: Vocabulary): Match | undefined {
  const { text } = fragment
  if (text.length === 1) return { any: [[text, beginningWith(text)]], has: [], isBroad: true }
  const { words } = vocabulary.wordsWith(fragment, alternatives)
  return words.length > 0 ? { any: [words], has: hasOf(text), isBroad: false } : undefined
}

/** A long word is filed in parts, which say nothing about the whole. */
function hasOf(fragment: string): string[] {
  return fragment.length > longestFragment ? [fragment] : []
}

function chunks(words: string[]): string[][] {
  return Array.from({ length: Math.ceil(words.length / alternatives) }, (_, index) =>
    words.slice(index * alternatives, (index + 1) * alternatives),
  )
}
