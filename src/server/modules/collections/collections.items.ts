import { maxCollectionItems } from '#shared/collections.ts'
import type { collections } from '#shared/contract/collections.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { ContentType } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { listRows } from '#server/db/list.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { publish } from '#server/durable-events.ts'
import { reweigh, step } from '#server/modules/catalog/manual-order.ts'
import { cleanComment } from '#server/modules/comments/comments.content.ts'
import { findVisibleTargets } from '#server/modules/comments/comments.targets.ts'
import { assertCanCollect, assertCanWrite, isPublic, statusAfterEdit } from './collections.policy.ts'
import { type CollectionRow, presentItems } from './collections.present.ts'
import { getReadable, lockOwn } from './collections.queries.ts'
import { hasVisibleContent } from './visible-content.ts'

/** Items that the viewer may see; the total counts those alone. */
export async function listItems(
  ctx: Ctx,
  { uuid, ...paging }: Input<typeof collections.items>,
): Promise<Reply<typeof collections.items>> {
  const collection = await getReadable(ctx, uuid)
  const query = ctx.db
    .selectFrom('collection_item')
    .selectAll()
    .where('collection_id', '=', collection.id)
    .where(hasVisibleContent(ctx.viewer, 'collection_item'))
  const order = [
    ['sort', 'desc'],
    ['id', 'asc'],
  ] as const
  const sizes = { min: 1, max: maxCollectionItems, default: 50 }
  const { total, rows } = await listRows(query, { ...paging, order: '' }, { order, sizes })
  return { total, item: await presentItems(ctx, rows) }
}

export async function addItems(
  ctx: MemberCtx,
  { collection_id, item, note }: Input<typeof collections.addItems>,
): Promise<Reply<typeof collections.addItems>> {
  assertCanCollect(ctx)
  return transaction(ctx, async (ctx) => {
    const row = await lockOwn(ctx, collection_id)
    if (note) assertCanWrite(ctx, row.visibility)
    const ids = await addContents(ctx, row, { item, note })
    if (ids.length > 0 && isPublic(row)) await publish(ctx, 'collections.extended', { collection: row.id, items: ids })
    return { id: ids }
  })
}

interface Addition {
  item: Input<typeof collections.addItems>['item']
  note: string
}

/** At its end, in the order given. Call it in a transaction, with the collection locked. Returns the ids of new items. */
export async function addContents(ctx: MemberCtx, row: CollectionRow, { item, note }: Addition): Promise<number[]> {
  const { db, now } = ctx
  const refs = item.map(({ type, content_id: document_id }) => ({ type, document_id }))
  const targetOf = await findVisibleTargets(ctx, refs)
  const missing = refs.find((ref) => !targetOf(ref))
  if (missing) throw missing.type === ContentType.Article ? errors.articles.notFound() : errors.documents.notFound()
  const last = await db
    .selectFrom('collection_item')
    .select(({ fn }) => [fn.min<number | null>('sort').as('sort'), fn.countAll<number>().as('count')])
    .where('collection_id', '=', row.id)
    .executeTakeFirstOrThrow()
  const text = cleanNote(note)
  const added = await db
    .insertInto('collection_item')
    .values(
      item.map(({ type, content_id }, index) => ({
        collection_id: row.id,
        content_type: type,
        content_id,
        sort: (last.sort ?? step) - (index + 1) * step,
        note: text,
        created_at: now(),
        updated_at: now(),
      })),
    )
    .onConflict((conflict) => conflict.columns(['collection_id', 'content_type', 'content_id']).doNothing())
    .returning('id')
    .execute()
  const ids = added.map(({ id }) => id)
  if (ids.length === 0) return []
  if (last.count + ids.length > maxCollectionItems) throw errors.collections.full(maxCollectionItems)
  await touch(ctx, row, { change: ids.length, isRewritten: text !== '' })
  return ids
}

export async function updateItem(ctx: MemberCtx, { id, note }: Input<typeof collections.updateItem>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const { item, row } = await lockItem(ctx, id)
    assertCanWrite(ctx, row.visibility)
    const text = cleanNote(note)
    await ctx.db
      .updateTable('collection_item')
      .set({ note: text, updated_at: ctx.now() })
      .where('id', '=', id)
      .execute()
    await touch(ctx, row, { change: 0, isRewritten: text !== '' && text !== item.note })
  })
}

/** The caller's own; ids of others are ignored. */
export async function removeItems(ctx: MemberCtx, { id }: Input<typeof collections.removeItems>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const { db, viewer } = ctx
    const own = await db
      .selectFrom('collection_item')
      .innerJoin('collection', 'collection.id', 'collection_item.collection_id')
      .select('collection.id')
      .distinct()
      .where(inList(db, 'collection_item.id', id))
      .where('collection.user_id', '=', viewer.id)
      .execute()
    const collectionIds = own.map((row) => row.id).toSorted((a, b) => a - b)
    await lockRows(ctx, 'collection', collectionIds)
    for (const collectionId of collectionIds) {
      const row = await lockOwn(ctx, collectionId)
      const removed = await db
        .deleteFrom('collection_item')
        .where('collection_id', '=', collectionId)
        .where(inList(db, 'id', id))
        .returning('id')
        .execute()
      await touch(ctx, row, { change: -removed.length, isRewritten: false })
    }
  })
}

export async function reorderItems(
  ctx: MemberCtx,
  { collection_id, id }: Input<typeof collections.reorderItems>,
): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const row = await lockOwn(ctx, collection_id)
    const items = await ctx.db
      .selectFrom('collection_item')
      .select(['id', 'sort'])
      .where('collection_id', '=', row.id)
      .orderBy('sort', 'desc')
      .orderBy('id')
      .execute()
    for (const { id: itemId, sort } of reweigh(items, [...new Set(id)]))
      await ctx.db.updateTable('collection_item').set({ sort }).where('id', '=', itemId).execute()
    ctx.emit('collection.changed', { ids: [row.id] })
  })
}

async function lockItem(ctx: MemberCtx, id: number) {
  const found = await ctx.db
    .selectFrom('collection_item')
    .select('collection_id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw errors.collections.itemNotFound()
  const row = await lockOwn(ctx, found.collection_id)
  const item = await ctx.db.selectFrom('collection_item').selectAll().where('id', '=', id).executeTakeFirst()
  if (!item) throw errors.collections.itemNotFound()
  return { item, row }
}

/** What the collection itself records of a change of its items. Notes are texts that others read. */
async function touch(
  ctx: MemberCtx,
  row: CollectionRow,
  { change, isRewritten }: { change: number; isRewritten: boolean },
): Promise<void> {
  const status = isRewritten ? statusAfterEdit(ctx.viewer, { status: row.status, isRewritten }) : row.status
  await ctx.db
    .updateTable('collection')
    .set((eb) => ({
      item_count: eb('item_count', '+', change),
      status,
      ...(status !== row.status && { reject_reason: '' }),
      updated_at: ctx.now(),
    }))
    .where('id', '=', row.id)
    .execute()
  ctx.emit('collection.changed', { ids: [row.id] })
}

function cleanNote(note: string): string {
  return cleanComment(note).toWellFormed()
}
