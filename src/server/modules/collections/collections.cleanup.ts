import { type Ctx, transaction } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import type { DurablePayload } from '#server/durable-events.ts'
import { addToCounter } from '#server/modules/documents/documents.counts.ts'
import { deleteRows } from './collections.service.ts'

/** Documents or articles are gone for good: they leave every collection. */
export async function removePurgedItems(ctx: Ctx, { type, ids }: DurablePayload<'content.purged'>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const removed = await ctx.db
      .deleteFrom('collection_item')
      .where('content_type', '=', type)
      .where(inList(ctx.db, 'content_id', ids))
      .returning('collection_id')
      .execute()
    const byCollection = Map.groupBy(removed, ({ collection_id }) => collection_id)
    // In id order to prevent deadlocks.
    for (const [id, { length }] of [...byCollection].toSorted(([a], [b]) => a - b))
      await ctx.db
        .updateTable('collection')
        .set({ item_count: addToCounter('item_count', -length) })
        .where('id', '=', id)
        .execute()
    await ctx.db
      .deleteFrom('publication')
      .where('content_type', '=', type)
      .where(inList(ctx.db, 'content_id', ids))
      .execute()
  })
}

export async function deleteCollectionsOfUsers(ctx: Ctx, { ids }: DurablePayload<'users.deleted'>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const rows = await ctx.db
      .selectFrom('collection')
      .select('id')
      .where(inList(ctx.db, 'user_id', ids))
      .execute()
    if (rows.length > 0)
      await deleteRows(
        ctx,
        rows.map(({ id }) => id),
      )
  })
}
