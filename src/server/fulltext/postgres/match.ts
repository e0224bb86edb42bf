import { maxPage, type Match, type Scope } from '../engine/store.ts'
import { CharacterClass, classOf } from '../text/fold.ts'
import { hashToken } from '../text/token-hash.ts'

/** A condition with numbered parameters; its values begin with the ones that were passed in. */
interface Condition {
  sql: string
  values: unknown[]
}

/** Pages have no index of their own: they are found through the tokens of their entry. */
const columns = {
  title: { tokens: 'title_tokens', folded: 'folded_title' },
  metadata: { tokens: 'metadata_tokens', folded: 'folded_metadata' },
  entry: { tokens: 'tokens', folded: 'folded_metadata' },
  pages: { tokens: 'tokens', folded: 'folded_metadata' },
} as const

/** Entries that have the tokens: the condition that the GIN index answers. */
export function tokenCondition({ anyOf }: Match, scope: Scope, before: unknown[]): Condition {
  const { tokens } = columns[scope]
  const { values, add } = parameters(before)
  const required = anyOf.filter((list) => list.length === 1).flat()
  const parts = [
    ...(required.length > 0 ? [`${tokens} @> ${add(hashTokens(required))}::integer[]`] : []),
    ...anyOf.filter((list) => list.length > 1).map((list) => `${tokens} && ${add(hashTokens(list))}::integer[]`),
  ]
  return { sql: parts.join(' and ') || 'true', values }
}

/** Recheck of entries: each substring in the metadata or, in the scope of entries, on some page. */
export function textCondition({ contains }: Match, scope: Scope, before: unknown[]): Condition {
  const { folded } = columns[scope]
  const { values, add } = parameters(before)
  const parts = contains.map((substring) => {
    const parameter = add(substring)
    return scope === 'entry'
      ? `(strpos(${folded}, ${parameter}) > 0 or ${isOnSomePage(parameter)})`
      : `strpos(${folded}, ${parameter}) > 0`
  })
  return { sql: parts.join(' and ') || 'true', values }
}

/** Recheck of pages. A bigram of hanzi is there if the text contains it; for Latin words each page has a list of hashes. */
export function pageCondition({ anyOf, contains }: Match, before: unknown[]): Condition {
  const { values, add } = parameters(before)
  const hasText = (text: string) => `strpos(folded, ${add(text)}) > 0`
  const parts = anyOf.map((list) => {
    const words = list.filter((token) => !isHanzi(token))
    const alternatives = list.filter(isHanzi).map(hasText)
    if (words.length > 0) alternatives.push(`words && ${add(hashTokens(words))}::integer[]`)
    return `(${alternatives.join(' or ')})`
  })
  return { sql: [...contains.map(hasText), ...parts].join(' and ') || 'true', values }
}

function isHanzi(token: string): boolean {
  return classOf(token.charCodeAt(0)) === CharacterClass.Unspaced
}

function isOnSomePage(parameter: string): string {
  return `exists (select from search_page as page where page.row between search_entry.row * ${maxPage + 1}
    and search_entry.row * ${maxPage + 1} + ${maxPage} and strpos(page.folded, ${parameter}) > 0)`
}

function hashTokens(tokens: readonly string[]): number[] {
  return tokens.map((token) => hashToken(token))
}

function parameters(before: unknown[]): { values: unknown[]; add: (value: unknown) => string } {
  const values = [...before]
  return { values, add: (value) => `$${values.push(value)}` }
}
