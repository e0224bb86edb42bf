import type { SimilarQuery } from '../fulltext.ts'
import { splitRuns, toBigrams } from '../text/tokenize.ts'
import type { Engine } from './engine.ts'
import type { Match, Store } from './store.ts'

const maxPagesRead = 20
const maxTermsCounted = 120
const maxTermsUsed = 14
const rowsPerTerm = 300
/** The least share of the weight of an entry's characteristic terms in a similar one: a common word is chance. */
const minShare = 0.15
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
  const shared = new Map<number, number>()
  const { terms, importance } = await characteristicTerms(store, kind, termFrequencies(heading, pages))
  const total = [...importance.values()].reduce((sum, value) => sum + value, 0)
  for (const { term, weight } of terms) {
    const having = new Set<number>()
    for (const scope of ['metadata', 'pages'] as const) {
      const { candidates } = await store.scan(matchTerm(term), { kind, scope, below: undefined, rows: rowsPerTerm })
      const factor = scope === 'metadata' ? 2 : 1
      for (const candidate of candidates) {
        const score = weight * factor * (1 + Math.log2(candidate.pages))
        if (candidate.id !== id) scores.set(candidate.id, (scores.get(candidate.id) ?? 0) + score)
        having.add(candidate.id)
      }
    }
    for (const other of having) shared.set(other, (shared.get(other) ?? 0) + (importance.get(term) ?? 0))
  }
  const isSimilar = ([other]: [id: number, score: number]) => (shared.get(other) ?? 0) >= minShare * total
  const ranked = [...scores]
    .filter(isSimilar)
    .toSorted((a, b) => b[1] - a[1] || b[0] - a[0])
    .map(([id]) => id)
  if (ranked.length === 0) return []
  const visible = new Set(await visibleIds(visibility, ranked.slice(0, Math.max(1000, limit * 20))))
  return ranked.filter((id) => visible.has(id)).slice(0, limit)
}

interface Characteristics {
  /** Terms that other entries have too. */
  terms: { term: string; weight: number }[]
  /** The importance of the most important terms, also of those that no other entry has. */
  importance: ReadonlyMap<string, number>
}

async function characteristicTerms(
  store: Store,
  kind: SimilarQuery['kind'],
  frequencies: [term: string, times: number][],
): Promise<Characteristics> {
  const counted: { term: string; times: number; entries: number }[] = []
  for (const [term, times] of frequencies) {
    const entries = await store.count(matchTerm(term), { kind, scope: 'entry', limit: commonTermEntries })
    counted.push({ term, times, entries })
  }
  const maxEntries = Math.max(...counted.map(({ entries }) => entries))
  const weighted = counted
    .filter(({ entries }) => entries < commonTermEntries)
    .map(({ term, times, entries }) => ({
      term,
      isShared: entries > 1,
      weight: Math.log2(1 + times) * Math.log2((maxEntries + 1) / Math.max(1, entries)),
      // Smoother: in a small library every entry may have what this one is about.
      importance: Math.log2(1 + times) * Math.log2(1 + maxEntries / Math.max(1, entries)),
    }))
    .toSorted((a, b) => b.weight - a.weight)
  const characteristic = weighted.toSorted((a, b) => b.importance - a.importance).slice(0, maxTermsUsed)
  return {
    terms: weighted.filter(({ isShared }) => isShared).slice(0, maxTermsUsed),
    importance: new Map(characteristic.map((term) => [term.term, term.importance])),
  }
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
