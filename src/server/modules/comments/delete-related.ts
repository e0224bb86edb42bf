import { ContentType } from '#shared/enums.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import type { Db } from '#server/db/open.ts'
import type { DurablePayload } from '#server/durable-events.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { countOnDay, deleteDocumentDays } from '#server/modules/stats/document-days.ts'
import { addToCounter } from '#server/modules/documents/documents.counts.ts'
import { updateCounters, type CountedComment, findCountedOfTargets } from './comments.counts.ts'

/** Cascades the deletion of documents or articles to their comments, favorites, reports and counts of days. */
export async function deleteRelated(ctx: Ctx, { type, ids }: DurablePayload<'content.purged'>): Promise<void> {
  if (ids.length === 0) return
  await transaction(ctx, async (ctx) => {
    const { db } = ctx
    const comments = await deleteComments(ctx, type, ids)
    const favorites = await db
      .deleteFrom('favorite')
      .where('type', '=', type)
      .where(inList(db, 'document_id', ids))
      .returning('user_id as id')
      .execute()
    await lockRows(ctx, 'user', [...comments.map(({ user_id }) => user_id), ...favorites.map(({ id }) => id)])
    await updateCounters(db, comments, [])
    await subtractFavorites(db, 'user', favorites)
    if (type === ContentType.Document) {
      await deleteDocumentDays(db, ids)
      await db
        .deleteFrom('report')
        .where(inList(db, 'document_id', ids))
        .execute()
    }
  })
}

/** Comments of deleted users stay, without a name, since they may have replies; their favorites go. */
export async function deleteFavoritesOfUsers(ctx: Ctx, { ids }: DurablePayload<'users.deleted'>): Promise<void> {
  await transaction(ctx, async ({ db }) => {
    const favorites = await db
      .deleteFrom('favorite')
      .where(inList(db, 'user_id', ids))
      .returning(['type', 'document_id as id', 'created_at as at'])
      .execute()
    const ofDocuments = favorites.filter(({ type }) => type === ContentType.Document)
    await subtractFavorites(db, 'document', ofDocuments)
    for (const { id, at } of ofDocuments.toSorted((a, b) => a.id - b.id))
      await countOnDay(db, { documentId: id, counter: 'favorites', at, change: -1 })
    await subtractFavorites(
      db,
      'article',
      favorites.filter(({ type }) => type === ContentType.Article),
    )
  })
}

/** Returns them as they were at the end: read again once they are locked. */
async function deleteComments(ctx: Ctx, type: ContentType, ids: readonly number[]): Promise<CountedComment[]> {
  const unlocked = await findCountedOfTargets(ctx.db, type, ids)
  await lockRows(
    ctx,
    'comment',
    unlocked.map(({ id }) => id),
  )
  const comments = await findCountedOfTargets(ctx.db, type, ids)
  await ctx.db
    .deleteFrom('comment')
    .where('type', '=', type)
    .where(inList(ctx.db, 'document_id', ids))
    .execute()
  return comments
}

/** Subtracts the number of times that each row occurs; in id order to prevent deadlocks. */
async function subtractFavorites(
  db: Db,
  table: 'user' | 'document' | 'article',
  rows: readonly { id: number }[],
): Promise<void> {
  const byId = Map.groupBy(rows, ({ id }) => id)
  for (const [id, { length }] of [...byId].toSorted(([a], [b]) => a - b)) {
    await db
      .updateTable(table)
      .set({ favorite_count: addToCounter('favorite_count', -length) })
      .where('id', '=', id)
      .execute()
  }
}
