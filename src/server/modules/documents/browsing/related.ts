import type { documents } from '#shared/contract/documents.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { among } from '#server/db/in-list.ts'
import type { Db } from '#server/db/open.ts'
import { getVisible } from '../documents.get.ts'
import { presentDocuments } from '../documents.present.ts'
import { type DocumentRow, publicDocuments } from '../documents.queries.ts'

const most = 10
const hourMs = 3_600_000

/** Documents like this one. Which ones is found out now and then; whether they may be seen, each time. */
export async function relatedDocuments(
  ctx: Ctx,
  input: Input<typeof documents.related>,
): Promise<Reply<typeof documents.related>> {
  const document = await getVisible(ctx, input)
  const days = ctx.settings.security.document_related_duration
  if (days <= 0) return { document: [] }
  const ids = (await remembered(ctx, document.id, days * 24 * hourMs)) ?? (await findOut(ctx, document))
  return { document: await presentDocuments(ctx, await publicDocuments(ctx.db, ids)) }
}

async function remembered({ db, now }: Ctx, id: number, forMs: number): Promise<number[] | undefined> {
  const row = await db.selectFrom('document_relate').selectAll().where('document_id', '=', id).executeTakeFirst()
  return row && stillAlike(row, now(), forMs)
}

/** A short list is looked up again soon: the site is young, and there may be more by then. */
export function stillAlike(
  { related, updated_at }: { related: string; updated_at: number },
  now: number,
  forMs: number,
): number[] | undefined {
  const ids = related.split(',').filter(Boolean).map(Number)
  const freshMs = ids.length < most ? Math.min(forMs, hourMs) : forMs
  return now - updated_at < freshMs ? ids : undefined
}

/** By what is written in them; where that says too little, by what is near: the narrowest category, the owner, the newest. */
async function findOut(ctx: Ctx, document: DocumentRow): Promise<number[]> {
  const accept = async (ids: number[]) => {
    const rows = await readable(ctx.db, document.id)
      .where(among(ctx.db, 'document.id', ids))
      .execute()
    return rows.map(({ id }) => id)
  }
  const alike = await ctx.search.similar({ kind: 'document', id: document.id, accept, limit: most })
  const near = alike.length < most ? await nearOnes(ctx.db, document) : []
  const ids = [...new Set([...alike, ...near])].slice(0, most)
  const row = { related: ids.join(','), updated_at: ctx.now() }
  await ctx.db
    .insertInto('document_relate')
    .values({ document_id: document.id, ...row })
    .onConflict((conflict) => conflict.column('document_id').doUpdateSet(row))
    .execute()
  return ids
}

function readable(db: Db, besides: number) {
  return db
    .selectFrom('document')
    .select('document.id')
    .where('document.status', '=', 2)
    .where('document.deleted_at', 'is', null)
    .where('document.id', '<>', besides)
}

async function nearOnes(db: Db, { id, user_id }: DocumentRow): Promise<number[]> {
  const narrowest = await db
    .selectFrom('document_category')
    .innerJoin('category', 'category.id', 'document_category.category_id')
    .select('category.id')
    .where('document_category.document_id', '=', id)
    .orderBy('category.doc_count')
    .orderBy('category.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const [near, own, newest] = await Promise.all([
    readable(db, id)
      .innerJoin('document_category', 'document_category.document_id', 'document.id')
      .where('document_category.category_id', '=', narrowest?.id ?? 0)
      .orderBy('document_category.document_id', 'desc')
      .limit(most)
      .execute(),
    readable(db, id).where('user_id', '=', user_id).orderBy('id', 'desc').limit(most).execute(),
    readable(db, id).orderBy('id', 'desc').limit(most).execute(),
  ])
  return [...near, ...own, ...newest].map((row) => row.id)
}
