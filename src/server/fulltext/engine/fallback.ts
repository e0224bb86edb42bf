import type { SearchStep } from '#shared/enums.ts'
import type { SearchQuery } from '../fulltext.ts'
import { type QueryTerms, toQueryTerms } from '../text/terms.ts'
import { type Answer, answerWithAllWords } from './all-words.ts'
import type { Source } from './candidates.ts'
import { correctWords } from './corrections.ts'
import type { Engine } from './engine.ts'
import { answerWithMostWords } from './most-words.ts'
import { answerByPinyin } from './pinyin-titles.ts'

export interface FallbackAnswer extends Answer {
  step: SearchStep
  suggestion: string
  /** The words asked for that the results have. */
  used?: string[]
}

/**
 * What to show where no entry has all words as typed, in this order:
 *
 * 1. all words that say something, anywhere in the entry (怎么写辞职报告: 辞职报告, then 辞职 and 报告);
 * 2. letters as the pinyin or the initials of a title;
 * 3. the words without a typing error, as a title or the vocabulary has them;
 * 4. most of the words.
 */
export async function answerWithLess(
  engine: Engine,
  source: Source,
  query: SearchQuery,
): Promise<FallbackAnswer | undefined> {
  const asked = toQueryTerms(query.words)
  const complete = await answerCompletely(engine, source, query, asked)
  if (complete) return { ...complete, step: 'most', suggestion: '' }
  const byPinyin = await answerByPinyin(engine, source, query)
  if (byPinyin) return { ...byPinyin, step: 'pinyin' }
  const corrected = await correctWords(engine, source, query, asked)
  if (corrected !== undefined) {
    const correctedQuery = { ...query, words: corrected }
    const answer =
      (await answerIfAny(engine, source, correctedQuery)) ??
      (await answerCompletely(engine, source, correctedQuery, toQueryTerms(corrected))) ??
      (await answerWithMostWords(engine, source, correctedQuery, toQueryTerms(corrected)))
    if (answer) return { ...answer, step: 'similar', suggestion: corrected }
  }
  const most = await answerWithMostWords(engine, source, query, asked)
  return most && { ...most, step: 'most', suggestion: '' }
}

/** Every piece of the question as it stands, or else every word of it. */
async function answerCompletely(
  engine: Engine,
  source: Source,
  query: SearchQuery,
  { pieces, terms }: QueryTerms,
): Promise<(Answer & { used: string[] }) | undefined> {
  const wordings = new Set([pieces.join(' '), terms.join(' ')])
  for (const words of wordings) {
    if (words === '' || words === query.words) continue
    const answer = await answerIfAny(engine, source, { ...query, words })
    if (answer) return { ...answer, used: words.split(' ') }
  }
  return undefined
}

async function answerIfAny(engine: Engine, source: Source, query: SearchQuery): Promise<Answer | undefined> {
  const answer = await answerWithAllWords(engine, source, query)
  return answer && answer.matches.length > 0 ? answer : undefined
}
