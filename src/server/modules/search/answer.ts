import { longestQuestion } from '#shared/contract/search.ts'
import type { Ctx } from '#server/context.ts'
import type { Searched } from '#server/events.ts'
import type { Found, Kind, Question } from '#server/fulltext/fulltext.ts'

const perPage = 10
/** Where the site sets no limit, or a higher one. */
const deepest = 10_000
const types: Record<Kind, Searched['type']> = { document: 0, article: 1 }

interface Asked extends Pick<Question, 'kind' | 'accept' | 'arrange' | 'lastPages'> {
  wd: string
  page: number
}

/** A page of what fits the words, as far as the site shows, and a record of who asked. */
export async function answerSearch<T>(
  ctx: Ctx,
  { wd, page: wanted, ...question }: Asked,
  present: (found: readonly Found[]) => Promise<T[]>,
): Promise<{ total: number; more: boolean; spend: string; hits: T[] }> {
  const words = questionOf(wd)
  if (words === '') return { total: 0, more: false, spend: '', hits: [] }
  const began = performance.now()
  const pages = Math.min(ctx.settings.display.max_search_pages || Infinity, deepest / perPage)
  const page = Math.min(Math.max(1, wanted), pages)
  const { total, more, found } = await ctx.search.search({
    ...question,
    words,
    ...(!ctx.settings.search.enable_content && { within: 'head' as const }),
    offset: (page - 1) * perPage,
    limit: perPage,
    most: pages * perPage,
  })
  const hits = await present(found)
  const ms = performance.now() - began
  const type = types[question.kind]
  ctx.emit('search.answered', { type, words, total, page, ms, viewer: ctx.viewer.id, ...ctx.origin })
  return { total, more, spend: (ms / 1000).toFixed(3), hits }
}

/** As it was meant: what is too long to be looked for is cut, and what no database can hold is left out. */
export function questionOf(words: string): string {
  return words.replaceAll('\0', ' ').trim().slice(0, longestQuestion).toWellFormed()
}
