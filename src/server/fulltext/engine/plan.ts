import { initialToken, maxFragmentLength } from '../text/tokenize.ts'
import { maxWords, type Vocabulary } from '../text/vocabulary.ts'
import type { Fragment, Needle } from '../text/query.ts'
import type { Match } from './store.ts'

/** How many words one index lookup may combine with OR. */
const maxWordsPerLookup = 256

/**
 * How to look up a needle, better matches first: for a Latin fragment, texts with words that begin with it, then texts with
 * words that contain it. Empty when no text can contain the needle.
 */
export function planAlternatives(needle: Needle, vocabulary: Vocabulary): Match[] {
  const fragment = asFragment(needle)
  if (fragment) return planFragment(fragment, vocabulary)
  const match = planMatch(needle, vocabulary)
  return match ? [match] : []
}

/** The same as a single match, to combine with other words: it leaves out rare alternatives of a frequent fragment. */
export function planMatch(needle: Needle, vocabulary: Vocabulary): Match | undefined {
  const fragment = asFragment(needle)
  if (fragment) return planFragmentAsOne(fragment, vocabulary)
  const anyOf = needle.bigrams.map((token) => [token])
  for (const part of needle.fragments) {
    const { words, isTruncated } = vocabulary.wordsWith(part, maxWordsPerLookup)
    if (words.length === 0) return undefined
    if (!isTruncated) anyOf.push(words)
  }
  const isEntryLevel = anyOf.length === 0
  if (isEntryLevel) anyOf.push(...entryTokens(needle).map((token) => [token]))
  const isProven = anyOf.length === 1 && needle.text === anyOf[0]?.[0]
  return { anyOf, contains: isProven ? [] : [needle.text], isEntryLevel }
}

/** A text that matches all of them. */
export function intersect(matches: readonly Match[]): Match {
  return {
    anyOf: matches.flatMap(({ anyOf }) => anyOf),
    contains: [...new Set(matches.flatMap(({ contains }) => contains))],
    isEntryLevel: matches.some(({ isEntryLevel }) => isEntryLevel),
  }
}

/** A needle that is nothing but part of one Latin word. */
function asFragment({ text, fragments }: Needle): Fragment | undefined {
  const [first] = fragments
  return first?.text === text ? first : undefined
}

/** For a needle without bigrams whose fragments are in too many words: single hanzi and the last word's initial. */
function entryTokens({ singles, fragments }: Needle): string[] {
  const last = fragments.at(-1)
  return last && !last.openLeft ? [...singles, initialToken(last.text)] : singles
}

function planFragment(fragment: Fragment, vocabulary: Vocabulary): Match[] {
  const { text } = fragment
  if (text.length === 1)
    return [
      { anyOf: [[text]], contains: [], isEntryLevel: false },
      { anyOf: [[initialToken(text)]], contains: [], isEntryLevel: true },
    ]
  const { words } = vocabulary.wordsWith(fragment, maxWords)
  const prefix = text.slice(0, maxFragmentLength)
  const beginning = words.filter((word) => word.startsWith(prefix))
  const containing = words.filter((word) => !word.startsWith(prefix))
  const contains = recheckOf(text)
  return [...chunks(beginning), ...chunks(containing)].map((chunk) => ({
    anyOf: [chunk],
    contains,
    isEntryLevel: false,
  }))
}

function planFragmentAsOne(fragment: Fragment, vocabulary: Vocabulary): Match | undefined {
  const { text } = fragment
  if (text.length === 1) return { anyOf: [[text, initialToken(text)]], contains: [], isEntryLevel: true }
  const { words } = vocabulary.wordsWith(fragment, maxWordsPerLookup)
  return words.length > 0 ? { anyOf: [words], contains: recheckOf(text), isEntryLevel: false } : undefined
}

/** A long word is indexed in overlapping parts, which do not prove the whole. */
function recheckOf(fragment: string): string[] {
  return fragment.length > maxFragmentLength ? [fragment] : []
}

function chunks(words: string[]): string[][] {
  return Array.from({ length: Math.ceil(words.length / maxWordsPerLookup) }, (_, index) =>
    words.slice(index * maxWordsPerLookup, (index + 1) * maxWordsPerLookup),
  )
}
