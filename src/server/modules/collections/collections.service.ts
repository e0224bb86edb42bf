import { type CollectionVisibility, maxCollections } from '#shared/collections.ts'
import type { Collection, collections } from '#shared/contract/collections.ts'
import type { Input } from '#shared/endpoint.ts'
import { ReviewStatus } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { plainLine } from '#shared/plain-text.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { publish } from '#server/durable-events.ts'
import { cleanComment } from '#server/modules/comments/comments.content.ts'
import { addContents } from './collections.items.ts'
import { assertCanCollect, assertCanWrite, isReviewed, statusAfterEdit } from './collections.policy.ts'
import { type CollectionRow, presentCollections } from './collections.present.ts'
import { lockOwn } from './collections.queries.ts'

export async function createCollection(ctx: MemberCtx, input: Input<typeof collections.create>): Promise<Collection> {
  assertCanWrite(ctx, input.visibility)
  if (input.item.length > 0) assertCanCollect(ctx)
  const texts = cleanTexts(input)
  return transaction(ctx, async (ctx) => {
    const { db, viewer, now } = ctx
    await assertMayHaveMore(ctx)
    const row = await db
      .insertInto('collection')
      .values({
        ...texts,
        uuid: Buffer.from(ctx.id(), 'base64url').toString('hex').slice(0, 16),
        user_id: viewer.id,
        visibility: input.visibility,
        status: isReviewed(viewer) ? ReviewStatus.Pending : ReviewStatus.Approved,
        ip: ctx.origin.ip,
        created_at: now(),
        updated_at: now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    if (input.item.length > 0) await addContents(ctx, row, { item: input.item, note: '' })
    ctx.emit('collection.changed', { ids: [row.id] })
    return presentOne(ctx, row)
  })
}

export async function updateCollection(ctx: MemberCtx, input: Input<typeof collections.update>): Promise<Collection> {
  assertCanWrite(ctx, input.visibility)
  const texts = cleanTexts(input)
  return transaction(ctx, async (ctx) => {
    const row = await lockOwn(ctx, input.id)
    const isRewritten = texts.title !== row.title || texts.description !== row.description
    const status = statusAfterEdit(ctx.viewer, { status: row.status, isRewritten })
    const changed = await ctx.db
      .updateTable('collection')
      .set({
        ...texts,
        visibility: input.visibility,
        status,
        ...(status !== row.status && { reject_reason: '' }),
        updated_at: ctx.now(),
      })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    emitChange(ctx, { row, visibility: input.visibility })
    return presentOne(ctx, changed)
  })
}

/** For owners, of all that they name or none; for staff, of any. The documents and articles stay. */
export async function deleteCollections(ctx: MemberCtx, { id }: Input<typeof collections.delete>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    await lockRows(ctx, 'collection', id)
    const rows = await ctx.db
      .selectFrom('collection')
      .select(['id', 'title', 'user_id'])
      .where(inList(ctx.db, 'id', id))
      .execute()
    const isOwnOnly = rows.length === new Set(id).size && rows.every(({ user_id }) => user_id === ctx.viewer.id)
    if (!ctx.viewer.can('CollectionAPI/DeleteCollection') && !isOwnOnly) throw errors.collections.othersKept()
    ctx.audit?.({ ids: id, change: rows.map(({ title }) => title).join('、') })
    await deleteRows(ctx, id)
  })
}

/** With their items; what members follow is updated by the listener of the event. */
export async function deleteRows(ctx: Ctx, ids: readonly number[]): Promise<void> {
  const { db } = ctx
  await db
    .deleteFrom('collection_item')
    .where(inList(db, 'collection_id', ids))
    .execute()
  await db
    .deleteFrom('collection')
    .where(inList(db, 'id', ids))
    .execute()
  await publish(ctx, 'collections.deleted', { ids: [...ids] })
  ctx.emit('site.changed', {})
}

function emitChange(ctx: Ctx, { row, visibility }: { row: CollectionRow; visibility: CollectionVisibility }): void {
  ctx.emit('collection.changed', { ids: [row.id] })
  // What is hidden must not stay in cached pages, which are dropped with a delay when a collection changes.
  if (visibility !== row.visibility) ctx.emit('site.changed', {})
}

function cleanTexts(input: { title: string; description: string }): { title: string; description: string } {
  const title = plainLine(input.title).toWellFormed()
  if (!title) throw errors.collections.titleNeeded()
  return { title, description: cleanComment(input.description).toWellFormed() }
}

async function assertMayHaveMore(ctx: MemberCtx): Promise<void> {
  await lockRows(ctx, 'user', [ctx.viewer.id])
  const { count } = await ctx.db
    .selectFrom('collection')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', ctx.viewer.id)
    .executeTakeFirstOrThrow()
  if (count >= maxCollections) throw errors.collections.tooMany(maxCollections)
}

async function presentOne(ctx: Ctx, row: CollectionRow): Promise<Collection> {
  const [collection] = await presentCollections(ctx, [row])
  if (!collection) throw errors.collections.notFound()
  return collection
}
