import type { documents } from '#shared/contract/documents.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { Visibility } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { visibilityFilter } from '#server/fulltext/visibility.ts'
import { getVisible } from '../documents.get.ts'
import { eachContentOnce } from '../documents.copies.ts'
import { presentDocuments } from '../documents.present.ts'
import { type DocumentRow, findListedDocuments } from '../documents.queries.ts'

const maxRelated = 10
const hourMs = 3_600_000

/**
 * Similar documents, of those that are for everyone: which ones they are is cached in the database for all viewers, whether
 * they still are is checked each time.
 */
export async function getRelated(
  ctx: Ctx,
  input: Input<typeof documents.related>,
): Promise<Reply<typeof documents.related>> {
  // The mobile client asks before it knows the document.
  if (input.id === 0) return { document: [] }
  const document = await getVisible(ctx, input)
  const days = ctx.settings.security.document_related_duration
  if (days <= 0) return { document: [] }
  const ids = (await findCached(ctx, document.id, days * 24 * hourMs)) ?? (await computeRelated(ctx, document))
  return { document: await presentDocuments(ctx, await findListedDocuments(ctx, ids)) }
}

async function findCached({ db, now }: Ctx, id: number, ttlMs: number): Promise<number[] | undefined> {
  const row = await db.selectFrom('document_relate').selectAll().where('document_id', '=', id).executeTakeFirst()
  return row && parseCached(row, now(), ttlMs)
}

/** Undefined when it is out of date. A short list expires soon: a young site may have more documents by then. */
export function parseCached(
  { related, updated_at }: { related: string; updated_at: number },
  now: number,
  ttlMs: number,
): number[] | undefined {
  const ids = related.split(',').filter(Boolean).map(Number)
  const freshMs = ids.length < maxRelated ? Math.min(ttlMs, hourMs) : ttlMs
  return now - updated_at < freshMs ? ids : undefined
}

/** Similarity goes by text alone: where too few documents are similar, fewer are shown. */
async function computeRelated(ctx: Ctx, document: DocumentRow): Promise<number[]> {
  const { id } = document
  const visibility = visibilityFilter(ctx.db, 'document.id', selectReadable(ctx.db, document))
  const ids = await ctx.search.similar({ kind: 'document', id, visibility, limit: maxRelated })
  const row = { related: ids.join(','), updated_at: ctx.now() }
  await ctx.db
    .insertInto('document_relate')
    .values({ document_id: id, ...row })
    .onConflict((conflict) => conflict.column('document_id').doUpdateSet(row))
    .execute()
  return ids
}

/** Nothing with the same content, and each content once. */
function selectReadable(db: Db, { id, hash }: DocumentRow) {
  const others = db
    .selectFrom('document')
    .select('document.id')
    .where('document.status', '=', DocumentStatus.Converted)
    .where('document.deleted_at', 'is', null)
    .where('document.visibility', '=', Visibility.Public)
    .where('document.id', '<>', id)
    .where('document.hash', '<>', hash)
  return eachContentOnce(others)
}
