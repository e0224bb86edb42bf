import type { SimilarQuestion } from '../fulltext.ts'
import type { Match, Store } from './store.ts'
import { pairsOf, runsOf } from '../text/tokenize.ts'

const pagesRead = 20
const termsWeighed = 120
const termsUsed = 14
const rowsPerTerm = 300
const commonFrom = 2000

/** Entries that share what is repeated in this one and rare elsewhere. */
export async function similarTo(store: Store, { kind, id, accept, limit }: SimilarQuestion): Promise<number[]> {
  const [head] = await store.foldedHeads(kind, [id])
  const texts = (await store.foldedFrom({ kind, id }, 1, pagesRead)).map(({ text }) => text)
  const heading = head ? `${head.title} ${head.keywords}` : ''
  const scores = new Map<number, number>()
  for (const { term, weight } of await characteristic(store, kind, heading, texts)) {
    for (const where of ['head', 'pages'] as const) {
      const { found } = await store.walk(only(term), { kind, where, below: undefined, rows: rowsPerTerm })
      const factor = where === 'head' ? 2 : 1
      for (const one of found) {
        const worth = weight * factor * (1 + Math.log2(one.pages))
        if (one.id !== id) scores.set(one.id, (scores.get(one.id) ?? 0) + worth)
      }
    }
  }
  const ranked = [...scores].toSorted((one, other) => other[1] - one[1] || other[0] - one[0]).map(([id]) => id)
  if (ranked.length === 0) return []
  const accepted = new Set(await accept(ranked.slice(0, Math.max(1000, limit * 20))))
  return ranked.filter((id) => accepted.has(id)).slice(0, limit)
}

interface Term {
  term: string
  weight: number
}

async function characteristic(
  store: Store,
  kind: SimilarQuestion['kind'],
  heading: string,
  texts: readonly string[],
): Promise<Term[]> {
  const counted: { term: string; times: number; entries: number }[] = []
  for (const [term, times] of repeatedTerms(heading, texts))
    counted.push({ term, times, entries: await store.count(only(term), { kind, where: 'entry', upTo: commonFrom }) })
  // What nobody else has leads nowhere, and what everybody has leads everywhere.
  const most = Math.max(...counted.map(({ entries }) => entries))
  return counted
    .filter(({ entries }) => entries > 1 && entries < commonFrom)
    .map(({ term, times, entries }) => ({ term, weight: Math.log2(1 + times) * Math.log2((most + 1) / entries) }))
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, termsUsed)
}

function repeatedTerms(heading: string, texts: readonly string[]): [string, number][] {
  const times = new Map<string, number>()
  const count = (text: string, weight: number) => {
    for (const term of termsOf(text)) times.set(term, (times.get(term) ?? 0) + weight)
  }
  count(heading, 3)
  for (const text of texts) count(text, 1)
  return [...times].toSorted((one, other) => other[1] - one[1]).slice(0, termsWeighed)
}

function only(term: string): Match {
  return { any: [[term]], has: [], isBroad: false }
}

function termsOf(text: string): string[] {
  return runsOf(text).flatMap((run) => {
    if (!run.isWord) return pairsOf(run.text)
    return run.text.length > 2 && run.text.length <= 32 ? [run.text] : []
  })
}
