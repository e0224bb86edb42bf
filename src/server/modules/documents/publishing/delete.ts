import { ActivityType } from '#shared/enums.ts'
import type { documents } from '#shared/contract/documents.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { penaliseDeletion } from '#server/modules/credits/credits.rewards.ts'
import { recordActivity } from '#server/modules/users/activity.ts'
import { countDocuments } from '../documents.counts.ts'
import { isPublic, owns } from '../documents.policy.ts'

/** Moves documents to the recycle bin. An owner who also names documents of others deletes nothing. */
export async function deleteDocuments(ctx: MemberCtx, { id }: Input<typeof documents.delete>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    if (!ctx.viewer.can('DocumentAPI/DeleteDocument')) await assertOwnsAll(ctx, id)
    const rows = await recycleDocuments(ctx, id, ctx.viewer.id)
    for (const row of rows) {
      const penalty = owns(ctx.viewer, row) ? await penaliseDeletion(ctx, row.user_id, row.id) : 0
      await recordActivity(ctx, {
        userId: ctx.viewer.id,
        type: ActivityType.DeleteDocument,
        subject: row.title,
        amount: -penalty,
      })
    }
  })
}

/** Returns those that were not in the recycle bin before. To be called in a transaction. */
export async function recycleDocuments(ctx: Ctx, ids: readonly number[], deletedBy: number) {
  await lockRows(ctx, 'document', ids)
  const rows = await ctx.db
    .updateTable('document')
    .set({ deleted_at: ctx.now(), deleted_user_id: deletedBy })
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .returning(['id', 'user_id', 'status', 'visibility', 'title'])
    .execute()
  if (rows.length === 0) return []
  const counted = rows.filter((row) => isPublic({ ...row, deleted_at: null })).map((row) => row.id)
  await countDocuments(ctx.db, counted, -1)
  ctx.emit('document.changed', { ids: rows.map((row) => row.id) })
  return rows
}

/** Missing documents are refused like those of others, so that ids cannot be probed. */
export async function assertOwnsAll({ db, viewer }: MemberCtx, ids: readonly number[]): Promise<void> {
  const own = await db
    .selectFrom('document')
    .select('id')
    .where('id', 'in', ids)
    .where('user_id', '=', viewer.id)
    .execute()
  if (own.length < new Set(ids).size) throw errors.documents.othersKept()
}
