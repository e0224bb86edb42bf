import { setImmediate } from 'node:timers/promises'
import { hashOf } from '../text/token-hash.ts'
import { runsOf, tokenise } from '../text/tokenize.ts'

/** Adds all that a folded text is filed under, as `tokenise` says, and returns its words. */
export function addTokens(folded: string, tokens: Set<number>): Set<string> {
  const words = new Set<string>()
  for (const { text, isWord } of runsOf(folded)) {
    if (!isWord) {
      addCharacters(text, tokens)
      continue
    }
    const filed = tokenise(text)
    for (const token of filed.page) tokens.add(hashOf(token))
    for (const token of filed.entry) tokens.add(hashOf(token))
    for (const word of filed.words) words.add(word)
  }
  return words
}

/** As PostgreSQL reads an array. */
export function arrayOf(numbers: Iterable<number>): string {
  return `{${[...numbers].join(',')}}`
}

/** PostgreSQL takes neither; what stands in for them is as long, so that places stay. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', ' ')
}

/** Many long pages take a while; others have their turn in between. */
export async function takeTurns(done: number): Promise<void> {
  if (done % 5 === 0) await setImmediate()
}

/** Nearly all of a Chinese text: hanzi and their pairs, without cutting them out. */
function addCharacters(run: string, tokens: Set<number>): void {
  let previous = -1
  for (let at = 0; at < run.length;) {
    const end = at + ((run.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
    tokens.add(hashOf(run, at, end))
    if (previous >= 0) tokens.add(hashOf(run, previous, end))
    previous = at
    at = end
  }
}
