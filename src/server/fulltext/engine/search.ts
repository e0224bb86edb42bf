import type { SearchHit, SearchQuery, SearchResults } from '../fulltext.ts'
import { isQuestion } from '../text/terms.ts'
import { type Answer, answerWithAllWords, openSource } from './all-words.ts'
import type { Source } from './candidates.ts'
import { type Engine, updateVocabulary } from './engine.ts'
import { answerWithLess } from './fallback.ts'
import { buildHits } from './snippets.ts'

/** A question that fewer entries answer word by word is also answered without its words of asking. */
const fewAnswers = 3

const noResults: SearchResults = { total: 0, hasMore: false, hits: [], step: 'all', exact: 0, suggestion: '' }

export async function executeSearch(engine: Engine, query: SearchQuery): Promise<SearchResults> {
  await updateVocabulary(engine.store, engine.vocabulary)
  const source = openSource(engine, query)
  const exact = await answerWithAllWords(engine, source, query)
  if (!exact) return noResults
  const isTooLittle = exact.matches.length === 0 || (exact.matches.length < fewAnswers && isQuestion(query.words))
  const less = query.fallback && isTooLittle && !exact.hasMore ? await answerWithLess(engine, source, query) : undefined
  const steps: Pick<SearchResults, 'step' | 'suggestion' | 'used'> = {
    step: less?.step ?? 'all',
    suggestion: less?.suggestion ?? '',
    ...(less?.used && { used: less.used }),
  }
  return {
    ...(await buildResults(source, query, less ? [exact, less] : [exact])),
    ...steps,
    exact: exact.matches.length,
  }
}

/** The requested page of several answers, one after the other. */
async function buildResults(
  source: Source,
  { offset, limit, previewPages, words, matchingIds = 0 }: SearchQuery,
  answers: readonly Answer[],
): Promise<Pick<SearchResults, 'total' | 'hasMore' | 'hits' | 'ids'>> {
  const answerOf = new Map<number, Answer>()
  for (const answer of answers) for (const { id } of answer.matches) if (!answerOf.has(id)) answerOf.set(id, answer)
  const ranked = answers.flatMap((answer) => answer.ranked.filter((id) => answerOf.get(id) === answer))
  const totals = {
    total: answerOf.size,
    hasMore: answers.some(({ hasMore }) => hasMore),
    ...(matchingIds > 0 && { ids: [...answerOf.keys()].slice(0, matchingIds) }),
  }
  const ids = ranked.slice(offset, offset + limit)
  if (ids.length === 0) return { ...totals, hits: [] }
  const lastPages = (await previewPages?.(ids)) ?? ids.map(() => Infinity)
  const requests = ids.flatMap((id, index) => {
    const answer = answerOf.get(id)
    return answer ? [{ id, lastPage: lastPages[index] ?? 0, answer, wording: answer.wordingOf(id) }] : []
  })
  const hits = new Map<number, SearchHit>()
  for (const wording of new Set(requests.map((request) => request.wording))) {
    const alike = requests.filter((request) => request.wording === wording)
    const cache = alike[0]?.answer.hits ?? new Map()
    for (const hit of await buildHits(source, wording.parsed, alike, cache))
      hits.set(hit.id, wording.words === words ? hit : { ...hit, words: wording.words })
  }
  return { ...totals, hits: ids.map((id) => hits.get(id)).filter((hit) => hit !== undefined) }
}
