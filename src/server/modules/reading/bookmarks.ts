import type { bookmarks } from '#shared/contract/reading.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { listRows } from '#server/db/list.ts'
import { assertWithinLimits, getMarkable, maxPerDocument, withDocuments } from './marks.ts'

const columns = ['id', 'document_id', 'document_title', 'page', 'label', 'created_at'] as const

/** A page has at most one: two tabs that add it get the same. */
export async function createBookmark(
  ctx: MemberCtx,
  input: Input<typeof bookmarks.create>,
): Promise<Reply<typeof bookmarks.create>> {
  const { id: document_id, uuid, title } = await getMarkable(ctx, input)
  const { document_title: _title, ...row } = await transaction(ctx, async (ctx) => {
    const existing = await findOnPage(ctx, input)
    if (existing) return existing
    await assertWithinLimits(ctx, 'bookmark', document_id)
    const stamps = { created_at: ctx.now(), updated_at: ctx.now() }
    const created = await ctx.db
      .insertInto('bookmark')
      .values({ user_id: ctx.viewer.id, document_title: title, ...input, ...stamps })
      .onConflict((conflict) => conflict.columns(['user_id', 'document_id', 'page']).doNothing())
      .returning(columns)
      .executeTakeFirst()
    return created ?? (await findOnPage(ctx, input)) ?? gone()
  })
  return { ...row, document_uuid: uuid, title, is_gone: false }
}

export async function updateBookmark(ctx: MemberCtx, { id, label }: Input<typeof bookmarks.update>): Promise<void> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('bookmark')
    .set({ label, updated_at: ctx.now() })
    .where('id', '=', id)
    .where('user_id', '=', ctx.viewer.id)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) gone()
}

/** The caller's own; ids of others are ignored. */
export async function deleteBookmarks({ db, viewer }: MemberCtx, { id }: Input<typeof bookmarks.delete>) {
  await db.deleteFrom('bookmark').where('id', 'in', id).where('user_id', '=', viewer.id).execute()
}

/** Documents that got the latest bookmarks first, each with its pages in order. */
export async function listBookmarks(
  ctx: MemberCtx,
  { document_id, ...paging }: Input<typeof bookmarks.list>,
): Promise<Reply<typeof bookmarks.list>> {
  const all = ctx.db.selectFrom('bookmark').where('bookmark.user_id', '=', ctx.viewer.id)
  const own = document_id > 0 ? all.where('bookmark.document_id', '=', document_id) : all
  const latest = own
    .select(({ fn }) => ['document_id', fn.max('updated_at').as('at')])
    .groupBy('document_id')
    .as('latest')
  const query = own
    .innerJoin(latest, 'latest.document_id', 'bookmark.document_id')
    .select(columns.map((column) => `bookmark.${column}` as const))
  const { total, rows } = await listRows(query, paging, {
    search: ['bookmark.label', 'bookmark.document_title'],
    order: [
      ['latest.at', 'desc'],
      ['bookmark.document_id', 'desc'],
      ['bookmark.page', 'asc'],
    ],
    sizes: { min: 1, max: maxPerDocument.bookmark, default: 20 },
  })
  return { total, bookmark: await withDocuments(ctx, rows) }
}

function findOnPage({ db, viewer }: MemberCtx, { document_id, page }: { document_id: number; page: number }) {
  return db
    .selectFrom('bookmark')
    .select(columns)
    .where('user_id', '=', viewer.id)
    .where('document_id', '=', document_id)
    .where('page', '=', page)
    .executeTakeFirst()
}

function gone(): never {
  throw errors.reading.notFound()
}
