import type { MatchedIn } from './candidates.ts'
import type { EntryKind } from '../fulltext.ts'
import type { Source } from './candidates.ts'
import type { CachedResults } from './result-cache.ts'
import type { FoldedMetadata, Store } from './store.ts'
import { maxQualityBonus, metadataBonus, qualityBonus } from './weights.ts'

/** An entry that matches and is visible to the caller, with the weight of its match. */
export interface VisibleMatch {
  id: number
  matchedIn: MatchedIn
  weight: number
  wording: number
}

/** With more matches in metadata than this, no metadata bonus is computed: it would mean reading all of them. */
const maxMetadataRead = 300
const maxRanked = 400

interface Options {
  matches: VisibleMatch[]
  results: CachedResults
  /** How many will be shown, counted from the first one. */
  limit: number
}

/** The ids of the best matches of a query in any of its wordings, best first: at least `limit` of them if there are as many. */
export async function rankMatches(
  { store, kind }: Source,
  phrases: readonly string[],
  { matches, results, limit }: Options,
): Promise<number[]> {
  const contenders = selectContenders(matches, limit)
  const { qualities, metadataBonuses } = results
  await loadMissing(
    qualities,
    contenders.map(({ id }) => id),
    (ids) => store.qualities(kind, ids),
  )
  const inMetadata = contenders.filter(({ matchedIn }) => matchedIn !== 'pages').map(({ id }) => id)
  const hasBonus = inMetadata.length <= maxMetadataRead
  if (hasBonus) await loadMissing(metadataBonuses, inMetadata, (ids) => loadBonuses(store, kind, phrases, ids))
  const scored = contenders.map(({ id, weight }) => ({
    id,
    score: weight + (hasBonus ? (metadataBonuses.get(id) ?? 0) : 0) + qualityBonus(qualities.get(id) ?? 0),
  }))
  return scored.toSorted((a, b) => b.score - a.score || b.id - a.id).map(({ id }) => id)
}

async function loadMissing(
  cached: Map<number, number>,
  ids: number[],
  load: (ids: number[]) => Promise<Map<number, number>>,
): Promise<void> {
  const missing = ids.filter((id) => !cached.has(id))
  if (missing.length > 0) for (const [id, value] of await load(missing)) cached.set(id, value)
}

/** Matches that can still reach the first `limit` places with every bonus; of very many, those with the highest weight. */
function selectContenders(matches: VisibleMatch[], limit: number): VisibleMatch[] {
  const sorted = matches.toSorted((a, b) => b.weight - a.weight)
  const threshold = sorted[limit - 1]?.weight ?? -Infinity
  const maxScore = ({ weight, matchedIn }: VisibleMatch) =>
    weight + maxQualityBonus + (matchedIn === 'pages' ? 0 : metadataBonus.max)
  return sorted.slice(0, Math.max(maxRanked, 2 * limit)).filter((match) => maxScore(match) >= threshold)
}

async function loadBonuses(
  store: Store,
  kind: EntryKind,
  phrases: readonly string[],
  ids: number[],
): Promise<Map<number, number>> {
  const entries = await store.foldedMetadata(kind, ids)
  return new Map(entries.map((entry) => [entry.id, Math.max(...phrases.map((phrase) => bonusOf(entry, phrase)))]))
}

function bonusOf({ title, keywords }: FoldedMetadata, phrase: string): number {
  if (title === phrase) return metadataBonus.exactTitle
  const isPrefix = title.startsWith(phrase)
  if (hasWholeWord(title, phrase)) return isPrefix ? metadataBonus.titleStartsWithWord : metadataBonus.titleHasWord
  if (isPrefix) return metadataBonus.titleStartsWith
  return keywords.includes(phrase) ? metadataBonus.keywords : 0
}

/** Hanzi have no word boundaries; every occurrence counts as whole. */
function hasWholeWord(folded: string, phrase: string): boolean {
  const at = folded.indexOf(phrase)
  if (at < 0) return false
  const isInsideWord = (left: string | undefined, right: string | undefined) => /^[a-z0-9]{2}$/u.test(`${left}${right}`)
  return !isInsideWord(folded[at - 1], phrase[0]) && !isInsideWord(phrase.at(-1), folded[at + phrase.length])
}
