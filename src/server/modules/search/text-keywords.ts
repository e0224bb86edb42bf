import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import type { Entry, EntryKind } from '#server/fulltext/fulltext.ts'
import { enqueue, type JobPayload } from '#server/jobs.ts'
import { cleanKeywords, extractKeywords } from '#server/modules/catalog/keywords.ts'
import { enqueueIndexing } from './indexing.ts'

const maxKeywords = 6
const batchSize = 50
const renewalJobs = { document: 'search.renew-keywords', article: 'search.renew-article-keywords' } as const

/**
 * Takes the keywords of a document or an article from its text, unless its owner has chosen them. Returns whether they
 * changed. `total` is the size of the library at a renewal, which is over with for this entry whatever comes of it.
 */
export async function updateKeywords({ db, search }: Ctx, { kind, id }: Entry, total = 0): Promise<boolean> {
  const row = await db
    .selectFrom(kind)
    .select(['title', 'keywords', 'text_keywords', 'keywords_compared'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return false
  const found = areGenerated(row) ? await search.keywords({ kind, id, limit: maxKeywords }) : undefined
  if (!found) {
    if (total > 0) await recordRenewal(db, { kind, id, ...row }, total)
    return false
  }
  const keywords = cleanKeywords(found.words.join(','))
  await db
    .updateTable(kind)
    .set({ keywords, text_keywords: keywords, keywords_compared: Math.max(1, found.entries, total) })
    .where('id', '=', id)
    // Not if the owner has chosen others meanwhile.
    .where('keywords', '=', row.keywords)
    .execute()
  return keywords !== row.keywords
}

/** The owner has chosen the keywords, or there is no text. The words of the title still count as not chosen by the owner. */
async function recordRenewal(db: Db, { kind, id, ...row }: KeywordFields & Entry, total: number): Promise<void> {
  const { title, keywords_compared } = row
  await db
    .updateTable(kind)
    .set({
      keywords_compared: total,
      ...(keywords_compared === 0 && { text_keywords: extractKeywords(title) }),
    })
    .where('id', '=', id)
    .where('keywords_compared', '=', keywords_compared)
    .execute()
}

interface KeywordFields {
  title: string
  keywords: string
  text_keywords: string
  keywords_compared: number
}

/** Until the text is known the words of the title stand in; anything else than these two is the owner's. */
function areGenerated({ title, keywords, text_keywords, keywords_compared }: KeywordFields): boolean {
  const areOfTitle = keywords !== '' && keywords === extractKeywords(title)
  return areOfTitle || (keywords_compared > 0 && keywords === text_keywords)
}

/**
 * What is frequent in one text and rare elsewhere depends on the others: keywords are renewed when the library has
 * doubled since, so that each entry is read a few times in all.
 */
export async function renewKeywords(
  ctx: Ctx,
  kind: EntryKind,
  range: JobPayload<'search.renew-keywords'>,
): Promise<void> {
  const { db } = ctx
  // Once for all batches.
  const total = range.total || (await countEntries(db, kind))
  const rows = await db
    .selectFrom(kind)
    .select('id')
    .where('id', '>', range.from)
    .where('deleted_at', 'is', null)
    .where('keywords_compared', '<=', Math.floor(total / 2))
    .orderBy('id')
    .limit(batchSize)
    .execute()
  const changed: number[] = []
  for (const { id } of rows) if (await updateKeywords(ctx, { kind, id }, total)) changed.push(id)
  await enqueueIndexing(ctx, kind, changed)
  const last = rows.at(-1)
  if (last && rows.length === batchSize) await enqueue(ctx, renewalJobs[kind], { from: last.id, total })
}

async function countEntries(db: Db, kind: EntryKind): Promise<number> {
  const { total } = await db
    .selectFrom(kind)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return total
}
