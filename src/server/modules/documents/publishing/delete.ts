import type { documents } from '#shared/contract/documents.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { penaliseDeletion } from '#server/modules/credits/credits.rewards.ts'
import { recordDynamic } from '#server/modules/users/activity.ts'
import { countDocuments } from '../documents.counts.ts'
import { holdDocuments } from '../documents.locks.ts'
import { isPublic, owns } from '../documents.policy.ts'

/** Into the recycle bin. Who may delete only their own and names another's deletes nothing. */
export async function deleteDocuments(ctx: MemberCtx, { id }: Input<typeof documents.delete>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    if (!ctx.viewer.can('DocumentAPI/DeleteDocument')) await refuseOthers(ctx, id)
    await holdDocuments(ctx, id)
    const rows = await ctx.db
      .updateTable('document')
      .set({ deleted_at: ctx.now(), deleted_user_id: ctx.viewer.id })
      .where('id', 'in', id)
      .where('deleted_at', 'is', null)
      .returning(['id', 'user_id', 'status', 'title'])
      .execute()
    if (rows.length === 0) return
    const counted = rows.filter((row) => isPublic({ ...row, deleted_at: null })).map((row) => row.id)
    await countDocuments(ctx.db, counted, -1)
    for (const row of rows) {
      const taken = owns(ctx.viewer, row) ? await penaliseDeletion(ctx, row.user_id, row.id) : 0
      await recordDynamic(ctx, { userId: ctx.viewer.id, type: 14, subject: row.title, amount: -taken })
    }
    ctx.emit('document.changed', { ids: rows.map((row) => row.id) })
  })
}

/** What does not exist is refused like what is another's: nobody learns which ids there are. */
async function refuseOthers({ db, viewer }: MemberCtx, ids: readonly number[]): Promise<void> {
  const own = await db
    .selectFrom('document')
    .select('id')
    .where('id', 'in', ids)
    .where('user_id', '=', viewer.id)
    .execute()
  if (own.length < new Set(ids).size) throw errors.documents.othersKept()
}
