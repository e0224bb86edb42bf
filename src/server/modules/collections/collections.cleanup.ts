import { type Ctx, transaction } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import type { DurablePayload } from '#server/durable-events.ts'
import { subtractEach } from '#server/modules/documents/documents.counts.ts'
import { deleteRows } from './collections.service.ts'

/** Items that one transaction removes: many collections have a popular document. */
const sliceSize = 500

/** Documents or articles are gone for good: they leave every collection. */
export async function removePurgedItems(ctx: Ctx, { type, ids }: DurablePayload<'content.purged'>): Promise<void> {
  const { db } = ctx
  for (;;) {
    const items = await db
      .selectFrom('collection_item')
      .select(['id', 'collection_id'])
      .where('content_type', '=', type)
      .where(inList(db, 'content_id', ids))
      .orderBy('id')
      .limit(sliceSize)
      .execute()
    if (items.length === 0) break
    await transaction(ctx, (ctx) => removeRows(ctx, items))
  }
  await db
    .deleteFrom('publication')
    .where('content_type', '=', type)
    .where(inList(db, 'content_id', ids))
    .execute()
}

async function removeRows(ctx: Ctx, items: readonly { id: number; collection_id: number }[]): Promise<void> {
  const { db } = ctx
  await lockRows(ctx, 'collection', [...new Set(items.map(({ collection_id }) => collection_id))])
  const removed = await db
    .deleteFrom('collection_item')
    .where(
      inList(
        db,
        'id',
        items.map(({ id }) => id),
      ),
    )
    .returning('collection_id')
    .execute()
  const collectionIds = removed.map(({ collection_id }) => collection_id)
  await subtractEach(db, { table: 'collection', column: 'item_count' }, collectionIds)
}

export async function deleteCollectionsOfUsers(ctx: Ctx, { ids }: DurablePayload<'users.deleted'>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const rows = await ctx.db
      .selectFrom('collection')
      .select('id')
      .where(inList(ctx.db, 'user_id', ids))
      .execute()
    const collectionIds = rows.map(({ id }) => id)
    await lockRows(ctx, 'collection', collectionIds)
    if (rows.length > 0) await deleteRows(ctx, collectionIds)
  })
}
