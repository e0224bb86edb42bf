import type { Query } from './query.ts'
import { bothOf, matchesOf, matchOf } from './plan.ts'
import type { Kind } from '../fulltext.ts'
import { type Candidate, entryBelow, type Match, type Store, type Where } from './store.ts'
import type { Vocabulary } from '../text/vocabulary.ts'

/** Entries that were found in the same way, and what that is worth. */
export interface Batch {
  found: Candidate[]
  place: Place
  worth: number
}

export type Place = 'title' | 'head' | 'body'

export interface Source {
  store: Store
  vocabulary: Vocabulary
  kind: Kind
}

/** Rows looked at in one go: few at first, as that is often enough. */
const firstRows = 600
const mostRows = 10_000
/** Of what is found in another way too, only further behind: to have some of the newest in front is enough. */
const phrase = { rows: 100, enough: 20, rounds: 3 }
const onOnePage = { rows: 150, enough: 50, rounds: 2 }
const countedUpTo = 3000
/** Entries whose texts are looked into in one go. */
const fewEntries = 50
const patienceMs = 3000

/**
 * Everything that fits, the best ways to fit first, within each the newest first. Whoever has enough stops asking, and so
 * the most frequent word costs no more than a rare one.
 */
export async function* candidates(
  { store, vocabulary, kind }: Source,
  query: Query,
  { within, onGivenUp }: { within: 'title' | 'head' | undefined; onGivenUp: () => void },
): AsyncGenerator<Batch> {
  const patience = { leftMs: patienceMs, onGivenUp }
  const source = { store: patient(store, patience), kind, patience }
  const phrases = matchesOf(query.phrase, vocabulary)
  const words = query.words.map((word) => matchOf(word, vocabulary))
  const known = words.filter((match) => match !== undefined)
  const all = query.words.length > 1 && known.length === words.length ? bothOf(known) : undefined
  const walk = (match: Match, where: Where, worth: number) => walkAll(source, match, { where, worth, rounds: Infinity })

  // Mostly no head has them all, and one look tells that for the phrase as well: unless the tokens are some of many.
  const isTold = all && query.words.every(({ fragments }) => fragments.length === 0)
  const isInHeads = !isTold || (await source.store.count(all, { kind, where: 'head', upTo: 1 })) !== 0
  if (isInHeads) {
    for (const [index, match] of phrases.entries()) yield* walk(match, 'title', index === 0 ? 1000 : 880)
    if (all) yield* walk(all, 'title', 800)
    if (within === 'title') return
    for (const match of phrases) yield* walk(match, 'head', 600)
    if (all) yield* walk(all, 'head', 560)
  }
  if (within) return
  // Who has the phrase has the words too: where those are looked for next, it need not be found in every last page.
  const extent = all ? phrase : { rounds: Infinity }
  for (const [index, match] of phrases.entries())
    yield* inBody(source, match, { worth: index === 0 ? 400 : 300, ...extent })
  const texts = query.words.map(({ text }) => text)
  const together = all && (all.has.length > 0 ? { ...all, has: texts } : { ...all, orHas: texts })
  if (together && !together.isBroad) yield* walkAll(source, together, { where: 'pages', worth: 200, ...onOnePage })
  if (all && all.has.length === 0) yield* walk(all, 'entry', 100)
  else if (all) yield* acrossPages(source, known)
}

interface Patient {
  store: Pick<Store, 'walk' | 'among' | 'count'>
  kind: Kind
  patience: Patience
}

/** Time that is spent in the index; who asks may come back for more much later. */
interface Patience {
  leftMs: number
  onGivenUp: () => void
}

function patient(store: Store, patience: Patience): Patient['store'] {
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    const begun = performance.now()
    try {
      return await work()
    } finally {
      patience.leftMs -= performance.now() - begun
    }
  }
  return {
    walk: (match, range) => timed(() => store.walk(match, range)),
    among: (match, kind, ids) => timed(() => store.among(match, kind, ids)),
    count: (match, range) => timed(() => store.count(match, range)),
  }
}

/** Each word somewhere in the entry, where that must be seen in the texts: who has the rarest is looked through for the others. */
async function* acrossPages(source: Patient, words: Match[]): AsyncGenerator<Batch> {
  const { store, kind } = source
  let rarest: { match: Match; count: number } | undefined
  // Of two that are equally frequent, the one that takes longer to check.
  const narrow = words.filter(({ isBroad }) => !isBroad).toSorted((one, other) => other.has.length - one.has.length)
  for (const match of narrow) {
    const count = await store.count(match, { kind, where: 'pages', upTo: rarest?.count ?? countedUpTo })
    if (!rarest || count < rarest.count) rarest = { match, count }
  }
  const lead = rarest?.match ?? bothOf(words)
  // All the tokens, as fewer entries have those, but only the texts that have not been seen yet.
  const others = { ...bothOf(words), has: bothOf(words.filter((match) => match !== lead)).has }
  // Heads come last: what they have in common with others takes a walk through all of those.
  for (const where of rarest ? (['pages', 'head'] as const) : (['entry'] as const)) {
    for await (const { found } of walkAll(source, lead, { where, worth: 100, rounds: Infinity })) {
      const ids = found.map(({ id }) => id)
      const likely = rarest ? await store.among({ ...others, has: [] }, kind, ids) : ids
      for (let at = 0; at < likely.length; at += fewEntries) {
        const some = likely.slice(at, at + fewEntries)
        const having = rarest ? await store.among({ ...others, any: [] }, kind, some) : some
        yield { found: having.map((id) => ({ id, pages: 1 })), place: 'body', worth: 100 }
      }
    }
  }
}

/** Where the tokens say enough, pages are counted as long as they are few, and entries found directly when they are many. */
async function* inBody(source: Patient, match: Match, way: Omit<Way, 'where'>): AsyncGenerator<Batch> {
  const { store, kind } = source
  if (match.isBroad) yield* walkAll(source, match, { ...way, where: 'entry' })
  else if (match.has.length > 0) yield* walkAll(source, match, { ...way, where: 'pages' })
  else {
    const { found, next } = await store.walk(match, { kind, where: 'pages', below: undefined, rows: firstRows })
    yield { found, place: 'body', worth: way.worth }
    // Whatever is newer has been met, on a page or in a head.
    if (next !== undefined) yield* walkAll(source, match, { ...way, where: 'entry', below: entryBelow(kind, next) })
  }
}

interface Way {
  where: Where
  worth: number
  /** How often it goes on before it gives up. */
  rounds: number
  /** Rows of the first round. */
  rows?: number
  /** So many found are enough. */
  enough?: number
  /** The row to begin below. */
  below?: number
}

async function* walkAll({ store, kind, patience }: Patient, match: Match, way: Way): AsyncGenerator<Batch> {
  let { below } = way
  let rows = way.rows ?? firstRows
  let met = 0
  for (let round = 0; round < way.rounds; round++) {
    if (patience.leftMs <= 0) {
      patience.onGivenUp()
      return
    }
    const { found, next } = await store.walk(match, { kind, where: way.where, below, rows })
    const place = way.where === 'title' || way.where === 'head' ? way.where : 'body'
    if (found.length > 0) yield { found, place, worth: way.worth }
    met += found.length
    if (next === undefined || met >= (way.enough ?? Infinity)) return
    below = next
    rows = Math.min(mostRows, rows * 2)
  }
}
