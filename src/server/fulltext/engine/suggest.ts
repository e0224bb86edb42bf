import { answer, type Index } from './rank.ts'
import type { SuggestQuestion, Suggested } from '../fulltext.ts'
import { lettersIn } from '../text/spelling.ts'

/** So many are looked at for the best few. */
const most = 60
const spelledAtOnce = 100
const rounds = 10

export async function suggestTitles(
  index: Index,
  { kind, words, accept, limit }: SuggestQuestion,
): Promise<Suggested[]> {
  const question = { kind, words, accept, within: 'title', offset: 0, limit, most } as const
  const { found } = await answer(index, question)
  const suggested: Suggested[] = found.map(({ id, title }) => ({ id, title }))
  const letters = lettersIn(words)
  if (letters === undefined || suggested.length >= limit) return suggested
  const known = new Set(suggested.map(({ id }) => id))
  let belowId: number | undefined
  for (let round = 0; round < rounds && suggested.length < limit; round++) {
    const ids = await index.store.spelled(letters, { kind, belowId, limit: spelledAtOnce })
    const accepted = new Set(ids.length > 0 ? await accept(ids) : [])
    for (const id of ids) if (accepted.has(id) && !known.has(id)) suggested.push({ id, title: [] })
    if (ids.length < spelledAtOnce) break
    belowId = ids.at(-1)
  }
  return suggested.slice(0, limit)
}
