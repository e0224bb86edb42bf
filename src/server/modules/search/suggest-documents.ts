import type { Suggestion } from '#shared/contract/search.ts'
import type { Ctx } from '#server/context.ts'
import { filtersOf } from '#server/modules/documents/browsing/filters.ts'
import { publicDocuments } from '#server/modules/documents/documents.queries.ts'
import { acceptFor } from './documents.ts'

const everything = { category_id: [], user_id: [], ext: '', language: [], created_at: [] }

/** Whether there is anything that everybody may see. */
export async function findsDocument(ctx: Ctx, words: string): Promise<boolean> {
  const accept = acceptFor(ctx, filtersOf(everything, ctx.now()))
  const { total } = await ctx.search.search({ kind: 'document', words, accept, offset: 0, limit: 0, most: 1 })
  return total > 0
}

/** Titles with these words, or spelled with these letters. */
export async function suggestDocuments(ctx: Ctx, words: string, limit: number): Promise<Suggestion[]> {
  const accept = acceptFor(ctx, filtersOf(everything, ctx.now()))
  const found = await ctx.search.suggest({ kind: 'document', words, accept, limit })
  const rows = await publicDocuments(
    ctx.db,
    found.map(({ id }) => id),
  )
  const ranges = new Map(found.map((one) => [one.id, one.title]))
  return rows.map(({ id, uuid, ext, title }) => ({ text: title, ranges: ranges.get(id) ?? [], uuid, ext }))
}
