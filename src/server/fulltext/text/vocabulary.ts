import type { Fragment } from '../engine/query.ts'
import { longestFragment } from './tokenize.ts'

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

/** A fragment that more words have than this is in nearly every text anyway. */
export const mostWords = 4096
/** New words are joined to a text only while it is short: to make one string of two, both are copied. */
const longestText = 1 << 20

/**
 * All Latin words of the texts in a few strings, where a fragment is found in a few milliseconds among a million of them:
 * quicker, smaller and simpler than an index of all their endings.
 */
export function openVocabulary(): Vocabulary {
  const texts: string[] = []
  let last = 0

  function* search(part: string): Generator<string> {
    for (const text of texts) {
      for (let at = text.indexOf(part); at >= 0;) {
        const from = text.lastIndexOf('\n', at) + 1
        const end = text.indexOf('\n', from)
        yield text.slice(from, end)
        at = text.indexOf(part, end)
      }
    }
  }

  const gather = (parts: readonly string[], most: number): Words => {
    const words = new Set<string>()
    for (const part of parts) {
      for (const word of search(part)) {
        if (words.size >= most && !words.has(word)) return { words: [...words], cut: true }
        words.add(word)
      }
    }
    return { words: [...words], cut: false }
  }

  return {
    add(words, upTo) {
      last = upTo
      if (words.length === 0) return
      const isShort = (texts.at(-1)?.length ?? Infinity) < longestText
      const before = (isShort ? texts.pop() : undefined) ?? '\n'
      texts.push(flat(`${before}${words.join('\n')}\n`))
    },
    last: () => last,
    wordsWith(fragment, most) {
      const piece = fragment.text.slice(0, longestFragment)
      const isWhole = piece.length === fragment.text.length
      const left = fragment.openLeft ? '' : '\n'
      const right = fragment.openRight || !isWhole ? '' : '\n'
      const met = gather([left + piece + right], most)
      if (left || right) return met
      if (met.cut) return gather([`\n${piece}\n`, `\n${piece}`, piece], most)
      const worth = (word: string) => (word === piece ? 0 : word.startsWith(piece) ? 1 : 2)
      return { ...met, words: met.words.toSorted((one, other) => worth(one) - worth(other)) }
    },
  }
}

/** For one question: what has been looked up is known for the rest of it. */
export function remembering(vocabulary: Vocabulary): Vocabulary {
  const known = new Map<string, Words>()
  return {
    ...vocabulary,
    wordsWith(fragment, most) {
      const key = `${fragment.openLeft ? '*' : ''} ${fragment.text} ${fragment.openRight ? '*' : ''}`
      const { words, cut } = known.get(key) ?? vocabulary.wordsWith(fragment, mostWords)
      known.set(key, { words, cut })
      return { words: words.slice(0, most), cut: cut || words.length > most }
    },
  }
}

/** A joined string is a tree of its parts until somebody needs it in one piece. */
function flat(text: string): string {
  text.charCodeAt(text.length - 1)
  return text
}
