import type { Keywords, KeywordsQuery } from '../fulltext.ts'
import { fold } from '../text/fold.ts'
import { parseQuery } from '../text/query.ts'
import { collectPhrases, type Phrase } from '../text/phrases.ts'
import { openSource } from './all-words.ts'
import { type Engine, updateVocabulary } from './engine.ts'
import type { Source } from './candidates.ts'
import { planMatch } from './plan.ts'

const maxPagesRead = 20
const maxCounted = 80
/** Pages that are rechecked for another entry with a phrase. */
const rowsRechecked = 60
/** A word that more of the entries have is common. */
const maxShare = 0.25
/** Compared with the best one; what scores less says little about the text. */
const minScoreShare = 0.45

/** Phrases that are frequent in this entry and rare elsewhere (TF-IDF), each of which at least one other entry has. */
export async function extractKeywords(
  engine: Engine,
  { kind, id, limit }: KeywordsQuery,
): Promise<Keywords | undefined> {
  const { store, vocabulary } = engine
  await updateVocabulary(store, vocabulary)
  const source = openSource(engine, { kind })
  const [metadata] = await store.metadata(kind, [id])
  const pages = Array.from({ length: maxPagesRead }, (_, index) => ({ id, page: index + 1 }))
  const texts = (await store.pageTexts(kind, pages)).toSorted((a, b) => a.page - b.page)
  if (!metadata || texts.length === 0) return undefined
  const entries = await store.countEntries(kind)
  const phrases = collectPhrases(
    metadata.title,
    texts.map(({ text }) => text),
  )
  const maxHaving = Math.max(2, Math.floor(entries * maxShare))
  const scored: (Phrase & { score: number })[] = []
  for (const phrase of phrases.slice(0, maxCounted)) {
    const having = await countEntriesWith(source, phrase.folded, maxHaving + 1)
    if (having < 2 || having > maxHaving) continue
    scored.push({ ...phrase, score: Math.log2(1 + phrase.times) * Math.log2(1 + entries / having) })
  }
  const best = withoutParts(scored.toSorted((a, b) => b.score - a.score))
  const words: string[] = []
  for (const { text, folded, score } of best) {
    if (words.length >= limit || score < (best[0]?.score ?? 0) * minScoreShare) break
    if (await isElsewhere(source, folded, id)) words.push(text)
  }
  return { words, entries }
}

/** By tokens: an upper bound for a longer phrase. */
async function countEntriesWith({ store, vocabulary, kind }: Source, folded: string, limit: number): Promise<number> {
  const needle = parseQuery(folded)?.phrase
  const match = needle && planMatch(needle, vocabulary)
  return match ? store.count(match, { kind, scope: 'entry', limit }) : 0
}

/** Whether another entry has the phrase, character by character. */
async function isElsewhere({ store, vocabulary, kind }: Source, folded: string, id: number): Promise<boolean> {
  const needle = parseQuery(folded)?.phrase
  const match = needle && planMatch(needle, vocabulary)
  if (!match) return false
  if (match.contains.length === 0) return true
  for (const scope of ['metadata', 'pages'] as const) {
    let below: number | undefined
    // The pages of this entry come first if it is the newest.
    for (let round = 0; round < 3; round++) {
      const { candidates, next } = await store.scan(match, { kind, scope, below, rows: rowsRechecked })
      if (candidates.some((candidate) => candidate.id !== id)) return true
      if (next === undefined) break
      below = next
    }
  }
  return false
}

/** Of 机器, 学习 and 机器学习 the last one remains, unless a part also stands alone. */
function withoutParts<T extends Phrase>(phrases: readonly T[]): T[] {
  const isPartOf = (part: T, whole: T) => part !== whole && fold(whole.text).includes(part.folded)
  return phrases.filter(
    (phrase) =>
      !phrases.some(
        (other) =>
          // A whole that is as frequent as its part stands for it; one that is much rarer is a chance neighbourhood.
          (isPartOf(phrase, other) && other.times * 2 >= phrase.times) ||
          (isPartOf(other, phrase) && phrase.times * 2 < other.times),
      ),
  )
}
