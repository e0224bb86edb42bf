import { setImmediate } from 'node:timers/promises'
import { hashToken } from '../text/token-hash.ts'
import { splitRuns, tokenize } from '../text/tokenize.ts'

/** Adds the hashes of all tokens that `tokenize` finds in a folded text; returns its Latin words. */
export function addTokens(folded: string, tokens: Set<number>): Set<string> {
  const words = new Set<string>()
  for (const { text, isWord } of splitRuns(folded)) {
    if (!isWord) {
      addHanzi(text, tokens)
      continue
    }
    const ofWord = tokenize(text)
    for (const token of ofWord.page) tokens.add(hashToken(token))
    for (const token of ofWord.entry) tokens.add(hashToken(token))
    for (const word of ofWord.words) words.add(word)
  }
  return words
}

/** An array as PostgreSQL parses it. */
export function toArrayLiteral(numbers: Iterable<number>): string {
  return `{${[...numbers].join(',')}}`
}

/** Replaces what PostgreSQL cannot store, lone surrogates and NUL, by as many characters, so that ranges stay valid. */
export function toPostgresText(text: string): string {
  return text.toWellFormed().replaceAll('\0', ' ')
}

/** After every few pages, since tokenizing a long document takes seconds. */
export async function yieldToEventLoop(pagesDone: number): Promise<void> {
  if (pagesDone % 5 === 0) await setImmediate()
}

/** Characters and bigrams, hashed without cutting them out: nearly all of a Chinese text. */
function addHanzi(run: string, tokens: Set<number>): void {
  let previous = -1
  for (let at = 0; at < run.length;) {
    const end = at + ((run.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
    tokens.add(hashToken(run, at, end))
    if (previous >= 0) tokens.add(hashToken(run, previous, end))
    previous = at
    at = end
  }
}
