import type { SimilarQuery } from '../fulltext.ts'
import { splitRuns, toBigrams } from '../text/tokenize.ts'
import type { Engine } from './engine.ts'
import type { Match, Store } from './store.ts'

const maxPagesRead = 20
const maxTermsCounted = 120
const maxTermsUsed = 14
const rowsPerTerm = 300
/** Terms in this many entries are too common to tell entries apart. */
const commonTermEntries = 2000

/** Entries that share terms which are frequent in this entry and rare elsewhere (TF-IDF). */
export async function findSimilar(
  { store, visibleIds }: Pick<Engine, 'store' | 'visibleIds'>,
  { kind, id, visibility, limit }: SimilarQuery,
): Promise<number[]> {
  const [metadata] = await store.foldedMetadata(kind, [id])
  const pages = (await store.foldedPagesFrom({ kind, id }, 1, maxPagesRead)).map(({ text }) => text)
  const heading = metadata ? `${metadata.title} ${metadata.keywords}` : ''
  const scores = new Map<number, number>()
  for (const { term, weight } of await characteristicTerms(store, kind, termFrequencies(heading, pages))) {
    for (const scope of ['metadata', 'pages'] as const) {
      const { candidates } = await store.scan(matchTerm(term), { kind, scope, below: undefined, rows: rowsPerTerm })
      const factor = scope === 'metadata' ? 2 : 1
      for (const candidate of candidates) {
        const score = weight * factor * (1 + Math.log2(candidate.pages))
        if (candidate.id !== id) scores.set(candidate.id, (scores.get(candidate.id) ?? 0) + score)
      }
    }
  }
  const ranked = [...scores].toSorted((a, b) => b[1] - a[1] || b[0] - a[0]).map(([id]) => id)
  if (ranked.length === 0) return []
  const visible = new Set(await visibleIds(visibility, ranked.slice(0, Math.max(1000, limit * 20))))
  return ranked.filter((id) => visible.has(id)).slice(0, limit)
}

interface WeightedTerm {
  term: string
  weight: number
}

async function characteristicTerms(
  store: Store,
  kind: SimilarQuery['kind'],
  frequencies: [term: string, times: number][],
): Promise<WeightedTerm[]> {
  const counted: { term: string; times: number; entries: number }[] = []
  for (const [term, times] of frequencies) {
    const entries = await store.count(matchTerm(term), { kind, scope: 'entry', limit: commonTermEntries })
    counted.push({ term, times, entries })
  }
  const maxEntries = Math.max(...counted.map(({ entries }) => entries))
  return counted
    .filter(({ entries }) => entries > 1 && entries < commonTermEntries)
    .map(({ term, times, entries }) => ({ term, weight: Math.log2(1 + times) * Math.log2((maxEntries + 1) / entries) }))
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, maxTermsUsed)
}

function termFrequencies(heading: string, pages: readonly string[]): [term: string, times: number][] {
  const frequencies = new Map<string, number>()
  const count = (text: string, weight: number) => {
    for (const term of toTerms(text)) frequencies.set(term, (frequencies.get(term) ?? 0) + weight)
  }
  count(heading, 3)
  for (const text of pages) count(text, 1)
  return [...frequencies].toSorted((a, b) => b[1] - a[1]).slice(0, maxTermsCounted)
}

function matchTerm(term: string): Match {
  return { anyOf: [[term]], contains: [], isEntryLevel: false }
}

function toTerms(text: string): string[] {
  return splitRuns(text).flatMap((run) => {
    if (!run.isWord) return toBigrams(run.text)
    return run.text.length > 2 && run.text.length <= 32 ? [run.text] : []
  })
}
