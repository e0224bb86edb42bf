import { classOf, letter } from '../text/fold.ts'
import { lastPage, type Match, type Where } from '../engine/store.ts'
import { hashOf } from '../text/token-hash.ts'

interface Condition {
  sql: string
  values: unknown[]
}

/** Pages have no tokens of their own: they are known by the tokens of their entry. */
const columns = {
  title: { tokens: 'title_tokens', folded: 'folded_title' },
  head: { tokens: 'head_tokens', folded: 'folded_head' },
  entry: { tokens: 'tokens', folded: 'folded_head' },
  pages: { tokens: 'tokens', folded: 'folded_head' },
} as const

/** Entries that have the tokens. The values given come first. */
export function havingTokens({ any }: Match, where: Where, given: unknown[]): Condition {
  const { tokens } = columns[where]
  const { values, next } = numbered(given)
  const alone = any.filter((list) => list.length === 1).flat()
  const parts = [
    ...(alone.length > 0 ? [`${tokens} @> ${next(hashesOf(alone))}::integer[]`] : []),
    ...any.filter((list) => list.length > 1).map((list) => `${tokens} && ${next(hashesOf(list))}::integer[]`),
  ]
  return { sql: parts.join(' and ') || 'true', values }
}

/** Entries that have the texts: each part in the head, or for whole entries on some page. */
export function havingTexts({ has }: Match, where: Where, given: unknown[]): Condition {
  const { folded } = columns[where]
  const { values, next } = numbered(given)
  const parts = has.map((part) => {
    const here = next(part)
    return where === 'entry'
      ? `(strpos(${folded}, ${here}) > 0 or ${somePage(here)})`
      : `strpos(${folded}, ${here}) > 0`
  })
  return { sql: parts.join(' and ') || 'true', values }
}

/** Pages that have the tokens and the texts. A pair of hanzi is there where it can be seen; of words each page has a list. */
export function onPage({ any, has }: Match, given: unknown[]): Condition {
  const { values, next } = numbered(given)
  const isSeen = (text: string) => `strpos(folded, ${next(text)}) > 0`
  const parts = any.map((list) => {
    const words = list.filter((token) => !isHanzi(token))
    const ways = list.filter(isHanzi).map(isSeen)
    if (words.length > 0) ways.push(`words && ${next(hashesOf(words))}::integer[]`)
    return `(${ways.join(' or ')})`
  })
  return { sql: [...has.map(isSeen), ...parts].join(' and ') || 'true', values }
}

function isHanzi(token: string): boolean {
  const kind = classOf(token.charCodeAt(0))
  return kind !== 0 && kind !== letter
}

function somePage(part: string): string {
  return `exists (select from search_page as page where page.row between search_entry.row * ${lastPage + 1}
    and search_entry.row * ${lastPage + 1} + ${lastPage} and strpos(page.folded, ${part}) > 0)`
}

function hashesOf(tokens: readonly string[]): number[] {
  return tokens.map((token) => hashOf(token))
}

function numbered(given: unknown[]): { values: unknown[]; next: (value: unknown) => string } {
  const values = [...given]
  return { values, next: (value) => `$${values.push(value)}` }
}
