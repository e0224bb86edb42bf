import type { SuggestQuery, TitleSuggestion } from '../fulltext.ts'
import { parsePinyin } from '../text/pinyin.ts'
import type { Engine } from './engine.ts'
import { executeSearch } from './search.ts'

/** Title matches that are ranked for the best few. */
const maxRanked = 60
const pinyinBatch = 100
const maxPinyinBatches = 10

export async function suggestTitles(
  engine: Engine,
  { kind, words, visibility, limit }: SuggestQuery,
): Promise<TitleSuggestion[]> {
  const scope = { within: 'title', regional: true } as const
  const query = { kind, words, visibility, ...scope, offset: 0, limit, maxTotal: maxRanked }
  const { hits } = await executeSearch(engine, query)
  const suggestions: TitleSuggestion[] = hits.map(({ id, titleRanges }) => ({ id, titleRanges }))
  const letters = parsePinyin(words)
  if (letters === undefined || suggestions.length >= limit) return suggestions
  const suggested = new Set(suggestions.map(({ id }) => id))
  let belowId: number | undefined
  for (let batch = 0; batch < maxPinyinBatches && suggestions.length < limit; batch++) {
    const titles = await engine.store.findByPinyin(letters, { kind, belowId, limit: pinyinBatch })
    const ids = titles.map(({ id }) => id)
    const visible = new Set(ids.length > 0 ? await engine.visibleIds(visibility, ids) : [])
    for (const id of ids) if (visible.has(id) && !suggested.has(id)) suggestions.push({ id, titleRanges: [] })
    if (ids.length < pinyinBatch) break
    belowId = ids.at(-1)
  }
  return suggestions.slice(0, limit)
}
