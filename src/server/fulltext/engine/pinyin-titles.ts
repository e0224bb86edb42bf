import type { SearchQuery } from '../fulltext.ts'
import { fold } from '../text/fold.ts'
import { findSound, parsePinyin } from '../text/pinyin.ts'
import { parseQuery } from '../text/query.ts'
import type { Answer } from './all-words.ts'
import type { Source } from './candidates.ts'
import type { Engine } from './engine.ts'
import { pinyinMatch } from './weights.ts'

const batchSize = 400
const maxBatches = 3

interface SpelledTitle {
  id: number
  title: string
  score: number
}

/** Titles whose pinyin or initials contain the letters that were typed; other words stand in the title as they are. */
export async function answerByPinyin(
  engine: Engine,
  source: Source,
  query: SearchQuery,
): Promise<(Answer & { suggestion: string }) | undefined> {
  const { store, kind } = source
  const whole = parsePinyin(query.words)
  const parts = query.words.split(/\s+/u).filter(Boolean)
  const letters = whole === undefined ? parts.flatMap((part) => parsePinyin(part) ?? []) : [whole]
  const others = whole === undefined ? parts.filter((part) => parsePinyin(part) === undefined).map(fold) : []
  if (letters.length === 0) return undefined
  const found =
    (await findTitles(engine, query, { letters, others })) ??
    // Words that do not follow each other in the title.
    (parts.length > 1 && whole !== undefined
      ? await findTitles(engine, query, { letters: parts.flatMap((part) => parsePinyin(part) ?? []), others })
      : undefined)
  if (!found) return undefined
  const qualities = await store.qualities(
    kind,
    found.map(({ id }) => id),
  )
  const best = found.toSorted(
    (a, b) =>
      b.score - a.score ||
      a.title.length - b.title.length ||
      (qualities.get(b.id) ?? 0) - (qualities.get(a.id) ?? 0) ||
      b.id - a.id,
  )
  const sounds = await Promise.all(letters.map((part) => findSound(best[0]?.title ?? '', part)))
  const meant = [...others, ...sounds].filter((word) => word !== undefined && word !== '').join(' ')
  const suggestion = sounds.every(Boolean) ? meant : ''
  const parsed = parseQuery(meant) ?? parseQuery(query.words)
  if (!parsed) return undefined
  const ids = best.map(({ id }) => id).slice(0, query.maxTotal)
  const wording = { words: meant || query.words, parsed }
  return {
    matches: ids.map((id) => ({ id })),
    hasMore: best.length > ids.length,
    ranked: query.sortBy ? await query.sortBy(ids) : ids,
    wordingOf: () => wording,
    hits: new Map(),
    suggestion,
  }
}

async function findTitles(
  { store, visibleIds }: Engine,
  { kind, visibility }: SearchQuery,
  { letters, others }: { letters: readonly string[]; others: readonly string[] },
): Promise<SpelledTitle[] | undefined> {
  const longest = letters.reduce((best, part) => (part.length > best.length ? part : best), '')
  const titles: SpelledTitle[] = []
  let belowId: number | undefined
  for (let batch = 0; batch < maxBatches; batch++) {
    const spelled = await store.findByPinyin(longest, { kind, belowId, limit: batchSize })
    const likely = spelled.filter(({ pinyin }) => letters.every((part) => pinyin.includes(part)))
    const ids = likely.map(({ id }) => id)
    const visible = new Set(ids.length > 0 ? await visibleIds(visibility, ids) : [])
    const folded = new Map((await store.foldedMetadata(kind, [...visible])).map(({ id, title }) => [id, title]))
    for (const { id, pinyin } of likely) {
      const title = folded.get(id)
      if (title === undefined || !others.every((word) => title.includes(word))) continue
      const score = letters.reduce((sum, part) => sum + scoreSpelling(part, pinyin), 0)
      if (score > 0) titles.push({ id, title, score })
    }
    if (spelled.length < batchSize) break
    belowId = spelled.at(-1)?.id
  }
  return titles.length > 0 ? titles : undefined
}

function scoreSpelling(letters: string, pinyin: string): number {
  const [initials = '', syllables = ''] = pinyin.split(' ')
  if (syllables === letters) return pinyinMatch.wholeTitle
  if (initials === letters) return pinyinMatch.allInitials
  if (syllables.startsWith(letters)) return pinyinMatch.beginning
  if (initials.startsWith(letters)) return pinyinMatch.firstInitials
  if (syllables.includes(letters)) return pinyinMatch.inside
  return initials.includes(letters) ? pinyinMatch.insideInitials : 0
}
