import type { EntryKind, SearchQuery } from '../fulltext.ts'
import type { Vocabulary } from '../text/vocabulary.ts'
import { intersect, planAlternatives, planMatch } from './plan.ts'
import type { ParsedQuery } from '../text/query.ts'
import { type Candidate, entryRowAbove, type Match, type Scope, type Store } from './store.ts'
import { weights } from './weights.ts'

/** Entries that matched in the same way, and the weight of that way. */
export interface CandidateBatch {
  candidates: Candidate[]
  matchedIn: MatchedIn
  weight: number
  /** Which wording of the query matched, if not the typed one. */
  wording?: number
}

export type MatchedIn = 'title' | 'metadata' | 'pages'

export interface Source {
  store: Store
  vocabulary: Vocabulary
  kind: EntryKind
}

interface Options {
  within: SearchQuery['within']
  /** The time budget was used up before the search was complete. */
  onTimeout: () => void
}

/** Rows per scan: few at first, since those often suffice, then twice as many each time. */
const firstRows = 600
const maxRows = 10_000
/** Candidates that a later, wider pass finds again are only sampled: the newest of them, for the top of the results. */
const phraseSample = { rows: 100, enough: 20, rounds: 3 }
const samePageSample = { rows: 150, enough: 50, rounds: 2 }
const maxCounted = 3000
/** Entries whose texts are rechecked at a time. */
const recheckBatch = 50
const budgetMs = 3000

/**
 * Everything that matches, by descending weight, newest first within a weight. It is lazy: a caller with enough candidates
 * stops reading, so that the most frequent word costs no more than a rare one.
 */
export async function* findCandidates(
  { store, vocabulary, kind }: Source,
  query: ParsedQuery,
  { within, onTimeout }: Options,
): AsyncGenerator<CandidateBatch> {
  const budget = { leftMs: budgetMs, onTimeout }
  const source = { store: withBudget(store, budget), kind, budget }
  const phrases = planAlternatives(query.phrase, vocabulary)
  const wordMatches = query.words.map((word) => planMatch(word, vocabulary))
  const possible = wordMatches.filter((match) => match !== undefined)
  const allWords = query.words.length > 1 && possible.length === wordMatches.length ? intersect(possible) : undefined
  const scan = (match: Match, scope: Scope, weight: number) =>
    scanAll(source, match, { scope, weight, rounds: Infinity })

  // Most metadata lack some word, and then also the phrase: one count saves four scans. A Latin fragment stands for a list
  // of words that may be truncated, which proves nothing.
  const isCountable = allWords && query.words.every(({ fragments }) => fragments.length === 0)
  const isInMetadata = !isCountable || (await source.store.count(allWords, { kind, scope: 'metadata', limit: 1 })) !== 0
  if (isInMetadata) {
    for (const [index, match] of phrases.entries())
      yield* scan(match, 'title', index === 0 ? weights.titlePhrase : weights.titleFragment)
    if (allWords) yield* scan(allWords, 'title', weights.titleWords)
    if (within === 'title') return
    for (const match of phrases) yield* scan(match, 'metadata', weights.metadataPhrase)
    if (allWords) yield* scan(allWords, 'metadata', weights.metadataWords)
  }
  if (within) return
  // A page with the phrase has all the words too, and the passes for those find it later.
  const sample = allWords ? phraseSample : { rounds: Infinity }
  for (const [index, match] of phrases.entries())
    yield* scanPages(source, match, { weight: index === 0 ? weights.pagePhrase : weights.pageFragment, ...sample })
  if (!allWords) return
  if (!allWords.isEntryLevel) {
    const texts = query.words.map(({ text }) => text)
    const samePage = { ...allWords, ...(allWords.contains.length > 0 ? { contains: texts } : { orContains: texts }) }
    yield* scanAll(source, samePage, { scope: 'pages', weight: weights.samePage, ...samePageSample })
  }
  if (allWords.contains.length === 0) yield* scan(allWords, 'entry', weights.sameEntry)
  else yield* scanAcrossPages(source, possible)
}

interface BudgetedSource {
  store: Pick<Store, 'scan' | 'filterMatching' | 'count'>
  kind: EntryKind
  budget: TimeBudget
}

/** Counts only time spent in the index: a cached query may be continued much later. */
interface TimeBudget {
  leftMs: number
  onTimeout: () => void
}

function withBudget(store: Store, budget: TimeBudget): BudgetedSource['store'] {
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      budget.leftMs -= performance.now() - startedAt
    }
  }
  return {
    scan: (match, range) => timed(() => store.scan(match, range)),
    filterMatching: (match, kind, ids) => timed(() => store.filterMatching(match, kind, ids)),
    count: (match, range) => timed(() => store.count(match, range)),
  }
}

/** Every word somewhere in the entry, where tokens do not prove it: entries with the rarest word are rechecked for the rest. */
async function* scanAcrossPages(source: BudgetedSource, words: Match[]): AsyncGenerator<CandidateBatch> {
  const { store, kind } = source
  let rarest: { match: Match; count: number } | undefined
  // Of two equally frequent words the one that needs a recheck leads: for that one the scan does it.
  const countable = words
    .filter(({ isEntryLevel }) => !isEntryLevel)
    .toSorted((a, b) => b.contains.length - a.contains.length)
  for (const match of countable) {
    const count = await store.count(match, { kind, scope: 'pages', limit: rarest?.count ?? maxCounted })
    if (!rarest || count < rarest.count) rarest = { match, count }
  }
  const lead = rarest?.match ?? intersect(words)
  // The tokens of all words, which fewer entries have, but only those texts that the scan has not rechecked.
  const rest = { ...intersect(words), contains: intersect(words.filter((match) => match !== lead)).contains }
  // Metadata last: a word that many titles have in common makes that scan long.
  for (const scope of rarest ? (['pages', 'metadata'] as const) : (['entry'] as const)) {
    for await (const { candidates } of scanAll(source, lead, { scope, weight: weights.sameEntry, rounds: Infinity })) {
      const ids = candidates.map(({ id }) => id)
      const likely = rarest ? await store.filterMatching({ ...rest, contains: [] }, kind, ids) : ids
      for (let at = 0; at < likely.length; at += recheckBatch) {
        const batch = likely.slice(at, at + recheckBatch)
        const matching = rarest ? await store.filterMatching({ ...rest, anyOf: [] }, kind, batch) : batch
        yield { candidates: matching.map((id) => ({ id, pages: 1 })), matchedIn: 'pages', weight: weights.sameEntry }
      }
    }
  }
}

/** Where tokens prove the match: the newest pages, which are counted for the bonus, then whole entries, which are fewer rows. */
async function* scanPages(
  source: BudgetedSource,
  match: Match,
  options: Omit<ScanOptions, 'scope'>,
): AsyncGenerator<CandidateBatch> {
  const { store, kind } = source
  if (match.isEntryLevel) yield* scanAll(source, match, { ...options, scope: 'entry' })
  else if (match.contains.length > 0) yield* scanAll(source, match, { ...options, scope: 'pages' })
  else {
    const { candidates, next } = await store.scan(match, { kind, scope: 'pages', below: undefined, rows: firstRows })
    yield { candidates, matchedIn: 'pages', weight: options.weight }
    // Newer entries have been found by their pages or by their metadata.
    if (next !== undefined)
      yield* scanAll(source, match, { ...options, scope: 'entry', below: entryRowAbove(kind, next) })
  }
}

interface ScanOptions {
  scope: Scope
  weight: number
  /** The maximum number of scans. */
  rounds: number
  /** Rows of the first scan. */
  rows?: number
  /** Stop when this many candidates are found. */
  enough?: number
  /** The row to start below. */
  below?: number
}

async function* scanAll(
  { store, kind, budget }: BudgetedSource,
  match: Match,
  { scope, weight, rounds, enough = Infinity, ...start }: ScanOptions,
): AsyncGenerator<CandidateBatch> {
  let { below, rows = firstRows } = start
  let total = 0
  for (let round = 0; round < rounds; round++) {
    if (budget.leftMs <= 0) {
      budget.onTimeout()
      return
    }
    const { candidates, next } = await store.scan(match, { kind, scope, below, rows })
    const matchedIn = scope === 'title' || scope === 'metadata' ? scope : 'pages'
    if (candidates.length > 0) yield { candidates, matchedIn, weight }
    total += candidates.length
    if (next === undefined || total >= enough) return
    below = next
    rows = Math.min(maxRows, rows * 2)
  }
}
