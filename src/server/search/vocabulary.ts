import type { Fragment } from './query.ts'
import { longestFragment } from './tokenise.ts'

export interface Vocabulary {
  /** Takes in words that have come since; the number is that of the last one. */
  add(words: readonly string[], last: number): void
  /** Up to which number it knows. */
  last(): number
  /** Words with this fragment, whole ones and beginnings first, then those met early, which are the frequent ones. */
  wordsWith(fragment: Fragment, most: number): Words
}

export interface Words {
  words: string[]
  /** There are more. */
  cut: boolean
}

/**
 * All Latin words of the texts in one string, where a fragment is found in a few milliseconds among a million of them:
 * quicker, smaller and simpler than an index of all their endings.
 */
export function openVocabulary(): Vocabulary {
  let text = '\n'
  let last = 0

  function* search(part: string): Generator<string> {
    for (let at = text.indexOf(part); at >= 0;) {
      const from = text.lastIndexOf('\n', at) + 1
      const end = text.indexOf('\n', from)
      yield text.slice(from, end)
      at = text.indexOf(part, end)
    }
  }

  return {
    add(words, upTo) {
      if (words.length > 0) text += `${words.join('\n')}\n`
      last = upTo
    },
    last: () => last,
    wordsWith(fragment, most) {
      const piece = fragment.text.slice(0, longestFragment)
      const isWhole = piece.length === fragment.text.length
      const left = fragment.openLeft ? '' : '\n'
      const right = fragment.openRight || !isWhole ? '' : '\n'
      const words = new Set<string>()
      const ways = left || right ? [left + piece + right] : [`\n${piece}\n`, `\n${piece}`, piece]
      for (const way of ways) {
        for (const word of search(way)) {
          if (words.size >= most && !words.has(word)) return { words: [...words], cut: true }
          words.add(word)
        }
      }
      return { words: [...words], cut: false }
    },
  }
}
