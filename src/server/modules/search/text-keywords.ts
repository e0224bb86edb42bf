import type { Ctx } from '#server/context.ts'
import { enqueue } from '#server/jobs.ts'
import { cleanKeywords, extractKeywords } from '#server/modules/catalog/keywords.ts'
import { enqueueIndexing } from './indexing.ts'

const maxKeywords = 6
const batchSize = 50

/** Takes a document's keywords from its text, unless its owner has chosen them. Returns whether they changed. */
export async function updateKeywords({ db, search }: Ctx, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('document')
    .select(['title', 'keywords', 'text_keywords', 'keywords_compared'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row || !areGenerated(row)) return false
  const found = await search.keywords({ kind: 'document', id, limit: maxKeywords })
  if (!found) return false
  const keywords = cleanKeywords(found.words.join(','))
  await db
    .updateTable('document')
    .set({ keywords, text_keywords: keywords, keywords_compared: Math.max(1, found.entries) })
    .where('id', '=', id)
    // Not if the owner has chosen others meanwhile.
    .where('keywords', '=', row.keywords)
    .execute()
  return keywords !== row.keywords
}

interface KeywordFields {
  title: string
  keywords: string
  text_keywords: string
  keywords_compared: number
}

/** Until the text is known the words of the title stand in; anything else than these two is the owner's. */
function areGenerated({ title, keywords, text_keywords, keywords_compared }: KeywordFields): boolean {
  return keywords_compared > 0 ? keywords === text_keywords : keywords !== '' && keywords === extractKeywords(title)
}

/**
 * What is frequent in one document and rare elsewhere depends on the others: keywords are renewed when the library has
 * doubled since, so that each document is read a few times in all.
 */
export async function renewKeywords(ctx: Ctx, { from }: { from: number }): Promise<void> {
  const { db } = ctx
  const { total } = await db
    .selectFrom('document')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('document')
    .select('id')
    .where('id', '>', from)
    .where('deleted_at', 'is', null)
    .where('keywords_compared', '<=', Math.floor(total / 2))
    .orderBy('id')
    .limit(batchSize)
    .execute()
  const changed: number[] = []
  for (const { id } of rows) if (await updateKeywords(ctx, id)) changed.push(id)
  await enqueueIndexing(ctx, 'document', changed)
  const last = rows.at(-1)
  if (last && rows.length === batchSize) await enqueue(ctx, 'search.renew-keywords', { from: last.id })
}
