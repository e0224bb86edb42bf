import type { comments } from '#shared/contract/social.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import { among } from '#server/db/in-list.ts'
import { changeComments } from './comments.change.ts'
import { removal } from './comments.removal.ts'

/** Who may delete only their own and names another's deletes nothing. */
export async function deleteComments(ctx: MemberCtx, { id }: Input<typeof comments.delete>): Promise<void> {
  await changeComments(ctx, id, async (ctx) => {
    if (!ctx.viewer.can('CommentAPI/DeleteComment')) await refuseOthers(ctx, id)
    const { gone, emptied } = removal(await threadsOf(ctx, id), new Set(id))
    await ctx.db
      .deleteFrom('comment')
      .where(among(ctx.db, 'id', gone))
      .execute()
    // An empty place has nothing left to judge: whatever its state was, answers below it are shown by their own.
    await ctx.db
      .updateTable('comment')
      .set({ is_deleted: 1, status: 1, content: '', user_id: 0, ip: '', updated_at: ctx.now() })
      .where(among(ctx.db, 'id', emptied))
      .execute()
  })
}

/** What does not exist is refused like what is another's: nobody learns which ids there are. */
async function refuseOthers({ db, viewer }: Ctx, ids: readonly number[]): Promise<void> {
  const own = await db
    .selectFrom('comment')
    .select('id')
    .where('id', 'in', ids)
    .where('user_id', '=', viewer.id)
    .execute()
  if (own.length < new Set(ids).size) throw errors.comments.othersKept()
}

async function threadsOf({ db }: Ctx, ids: readonly number[]) {
  const roots = db
    .selectFrom('comment')
    .select('root_id')
    .where(among(db, 'id', ids))
  return db.selectFrom('comment').select(['id', 'parent_id', 'is_deleted']).where('root_id', 'in', roots).execute()
}
