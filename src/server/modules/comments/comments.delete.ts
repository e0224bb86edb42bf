import { ReviewStatus } from '#shared/enums.ts'
import type { comments } from '#shared/contract/comments.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { changeComments } from './comments.change.ts'
import { planDeletion } from './comments.tombstones.ts'

/** A member who also names comments of others deletes nothing. */
export async function deleteComments(ctx: MemberCtx, { id }: Input<typeof comments.delete>): Promise<void> {
  await changeComments(ctx, id, async (ctx) => {
    if (!ctx.viewer.can('CommentAPI/DeleteComment')) await assertOwnsAll(ctx, id)
    const { removedIds, tombstoneIds } = planDeletion(await findThreads(ctx, id), new Set(id))
    await ctx.db
      .deleteFrom('comment')
      .where(inList(ctx.db, 'id', removedIds))
      .execute()
    // A tombstone has nothing to review: the status of a reply alone decides whether it is visible.
    await ctx.db
      .updateTable('comment')
      .set({
        is_deleted: 1,
        status: ReviewStatus.Approved,
        content: '',
        reject_reason: '',
        user_id: 0,
        ip: '',
        updated_at: ctx.now(),
      })
      .where(inList(ctx.db, 'id', tombstoneIds))
      .execute()
  })
}

/** Missing comments are refused like those of others, so that ids cannot be probed. */
async function assertOwnsAll({ db, viewer }: Ctx, ids: readonly number[]): Promise<void> {
  const own = await db
    .selectFrom('comment')
    .select('id')
    .where('id', 'in', ids)
    .where('user_id', '=', viewer.id)
    .execute()
  if (own.length < new Set(ids).size) throw errors.comments.othersKept()
}

async function findThreads({ db }: Ctx, ids: readonly number[]) {
  const roots = db
    .selectFrom('comment')
    .select('root_id')
    .where(inList(db, 'id', ids))
  return db.selectFrom('comment').select(['id', 'parent_id', 'is_deleted']).where('root_id', 'in', roots).execute()
}
