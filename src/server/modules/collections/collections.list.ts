import { CollectionVisibility } from '#shared/collections.ts'
import type { collections } from '#shared/contract/collections.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { ReviewStatus } from '#shared/enums.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import { listRows, within } from '#server/db/list.ts'
import { presentCollections } from './collections.present.ts'
import { hasVisibleContent } from './visible-content.ts'

type ListReply = Reply<typeof collections.list>

const sizes = { min: 1, max: 100, default: 20 }
const latest = [
  ['updated_at', 'desc'],
  ['id', 'desc'],
] as const
const popular = [
  ['follower_count', 'desc'],
  ['id', 'desc'],
] as const

/** Public collections that have something for this viewer. */
export async function listPublic(ctx: Ctx, { user_id, ...paging }: Input<typeof collections.list>): Promise<ListReply> {
  const visible = ctx.db
    .selectFrom('collection')
    .selectAll()
    .where('visibility', '=', CollectionVisibility.Public)
    .where('status', '=', ReviewStatus.Approved)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('collection_item')
          .select('collection_item.id')
          .whereRef('collection_item.collection_id', '=', 'collection.id')
          .where(hasVisibleContent(ctx.viewer, 'collection_item')),
      ),
    )
  const query = user_id > 0 ? visible.where('user_id', '=', user_id) : visible
  const order = paging.order === 'popular' ? popular : latest
  const { total, rows } = await listRows(query, { ...paging, order: '' }, { search: ['title'], order, sizes })
  return { total, collection: await presentCollections(ctx, rows) }
}

export async function listOwn(ctx: MemberCtx, paging: Input<typeof collections.own>): Promise<ListReply> {
  const query = ctx.db.selectFrom('collection').selectAll().where('user_id', '=', ctx.viewer.id)
  const { total, rows } = await listRows(query, paging, { search: ['title'], order: latest, sizes })
  return { total, collection: await presentCollections(ctx, rows) }
}

/** All of them, for staff. */
export async function listAll(
  ctx: MemberCtx,
  { user_id, status, visibility, created_at, ...paging }: Input<typeof collections.manage>,
): Promise<ListReply> {
  let query = ctx.db.selectFrom('collection').selectAll().where(within('created_at', created_at))
  if (user_id > 0) query = query.where('user_id', '=', user_id)
  if (status.length > 0) query = query.where('status', 'in', status)
  if (visibility.length > 0) query = query.where('visibility', 'in', visibility)
  const { total, rows } = await listRows(query, paging, {
    search: ['title', 'description'],
    order: [['id', 'desc']],
    sortable: ['id', 'created_at', 'updated_at', 'follower_count'],
    sizes,
  })
  return { total, collection: await presentCollections(ctx, rows) }
}

/** The member's collections, those changed last first, and which of them have this document or article. */
export async function listHolding(
  { db, viewer }: MemberCtx,
  { type, content_id }: Input<typeof collections.holding>,
): Promise<Reply<typeof collections.holding>> {
  const rows = await db
    .selectFrom('collection')
    .leftJoin('collection_item', (join) =>
      join
        .onRef('collection_item.collection_id', '=', 'collection.id')
        .on('collection_item.content_type', '=', type)
        .on('collection_item.content_id', '=', content_id),
    )
    .select(['collection.id', 'collection.uuid', 'collection.title', 'collection.visibility'])
    .select(['collection.item_count', 'collection_item.id as item_id'])
    .where('collection.user_id', '=', viewer.id)
    .orderBy('collection.updated_at', 'desc')
    .orderBy('collection.id', 'desc')
    .execute()
  return { collection: rows.map((row) => ({ ...row, item_id: row.item_id ?? 0 })) }
}
