import type { SearchQuery } from '../fulltext.ts'
import { parseQuery } from '../text/query.ts'
import type { QueryTerms } from '../text/terms.ts'
import { splitRuns, toBigrams } from '../text/tokenize.ts'
import { type Answer, sortIds } from './all-words.ts'
import type { Source } from './candidates.ts'
import type { Engine } from './engine.ts'
import { planMatch } from './plan.ts'
import type { Scope } from './store.ts'
import { mostWords } from './weights.ts'

/** The newest entries with each term that are compared. */
const rowsPerTerm = 2000
const maxRanked = 200

interface CountedTerm {
  text: string
  inTitle: Set<number>
  anywhere: Set<number>
}

interface Score {
  matched: number
  /** Whether one of the terms is in the title. */
  titled: boolean
  /** Of all terms, by their rarity. */
  share: number
  score: number
}

const noScore: Score = { matched: 0, titled: false, share: 0, score: 0 }

/** Entries with at least half of the terms, by how rare these are; a term in a title counts more. */
export async function answerWithMostWords(
  engine: Engine,
  source: Source,
  query: SearchQuery,
  { terms, pieces }: QueryTerms,
): Promise<(Answer & { used: string[] }) | undefined> {
  if (terms.length < 2) return undefined
  const counted = await countTerms(source, query.within ?? 'entry', terms)
  const known = counted.filter(({ anywhere }) => anywhere.size > 0)
  if (known.length === 0) return undefined
  // As good as the number of entries, which takes long to count.
  const entries = await source.store.highestId(source.kind)
  const rarity = ({ anywhere }: CountedTerm) => Math.log2(1 + entries / Math.max(1, anywhere.size))
  // A term that no entry has is as important as the others.
  const meanRarity = known.reduce((sum, term) => sum + rarity(term), 0) / known.length
  const maxScore = known.reduce((sum, term) => sum + rarity(term), 0) + meanRarity * (counted.length - known.length)
  const scores = new Map<number, Score>()
  for (const term of known)
    for (const id of term.anywhere) {
      const { matched, titled, share, score } = scores.get(id) ?? noScore
      const weight = rarity(term) / maxScore
      const isTitled = term.inTitle.has(id)
      scores.set(id, {
        matched: matched + 1,
        titled: titled || isTitled,
        share: share + weight,
        score: score + weight * (isTitled ? mostWords.titleFactor : 1),
      })
    }
  // One of two words is enough only in a title.
  const isMost = ({ matched, titled, share }: Score) =>
    matched >= counted.length / 2 && (matched > 1 || titled) && share >= mostWords.minShare
  const best = [...scores]
    .filter(([, score]) => isMost(score))
    .toSorted(([a, x], [b, y]) => Number(y.titled) - Number(x.titled) || y.score - x.score || b - a)
    .map(([id, { titled, score }]) => ({ id, titled, score }))
  const matches = await takeVisible(engine, query, best)
  const words = known.map(({ text }) => text).join(' ')
  const parsed = parseQuery(words)
  if (matches.length === 0 || !parsed) return undefined
  const ranked = query.sortBy ? await sortIds(query.sortBy, matches) : await rankByTitle(source, matches, pieces)
  const wording = { words, parsed }
  // Different entries may have different ones: all of them together say nothing.
  const used = known.filter(({ anywhere }) => matches.some(({ id }) => anywhere.has(id))).map(({ text }) => text)
  return {
    matches,
    hasMore: matches.length >= query.maxTotal,
    ranked,
    wordingOf: () => wording,
    hits: new Map(),
    used: used.length < terms.length ? used : [],
  }
}

/** The best of them that the searcher may see: those that are hidden must not take their places. */
async function takeVisible<T extends { id: number }>(
  { visibleIds }: Engine,
  { visibility, maxTotal }: SearchQuery,
  best: readonly T[],
): Promise<T[]> {
  const limit = Math.min(maxRanked, maxTotal)
  const taken: T[] = []
  for (let from = 0; from < best.length && taken.length < limit; from += maxRanked) {
    const batch = best.slice(from, from + maxRanked)
    const visible = new Set(
      await visibleIds(
        visibility,
        batch.map(({ id }) => id),
      ),
    )
    taken.push(...batch.filter(({ id }) => visible.has(id)))
  }
  return taken.slice(0, limit)
}

async function countTerms(
  { store, vocabulary, kind }: Source,
  scope: Scope,
  terms: readonly string[],
): Promise<CountedTerm[]> {
  const counted: CountedTerm[] = []
  for (const text of terms) {
    const needle = parseQuery(text)?.phrase
    const match = needle && planMatch(needle, vocabulary)
    if (!match) {
      counted.push({ text, inTitle: new Set(), anywhere: new Set() })
      continue
    }
    const range = { kind, below: undefined, rows: rowsPerTerm }
    const titles = (await store.scan(match, { ...range, scope: 'title' })).candidates.map(({ id }) => id)
    // Without a recheck, which would read all pages: an entry with the pairs of a word nearly always has the word.
    const { candidates } = await store.scan({ ...match, contains: [] }, { ...range, scope })
    counted.push({ text, inTitle: new Set(titles), anywhere: new Set([...titles, ...candidates.map(({ id }) => id)]) })
  }
  return counted
}

/** Titles before texts; of entries with the same words, those whose title resembles the query come first. */
async function rankByTitle(
  { store, kind }: Source,
  matches: readonly { id: number; titled: boolean; score: number }[],
  pieces: readonly string[],
): Promise<number[]> {
  const titles = await store.foldedMetadata(
    kind,
    matches.map(({ id }) => id),
  )
  const resemblance = new Map(titles.map(({ id, title }) => [id, shareOfPairs(pieces, title)]))
  return matches
    .map((match) => ({
      ...match,
      score: match.score + mostWords.titleResemblance * (resemblance.get(match.id) ?? 0),
    }))
    .toSorted((a, b) => Number(b.titled) - Number(a.titled) || b.score - a.score || b.id - a.id)
    .map(({ id }) => id)
}

/** How much of the query's pairs of characters, and Latin words, the title has. */
function shareOfPairs(pieces: readonly string[], title: string): number {
  const pairs = pieces.flatMap((piece) =>
    splitRuns(piece).flatMap((run) => (run.isWord ? [run.text] : toBigrams(run.text))),
  )
  return pairs.length === 0 ? 0 : pairs.filter((pair) => title.includes(pair)).length / pairs.length
}
