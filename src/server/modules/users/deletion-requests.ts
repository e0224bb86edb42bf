import { type Ctx, transaction } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { isMailEnabled } from '#server/gateways/mail.ts'
import { enqueueMail } from '#server/modules/mail/mail.service.ts'
import type { UserRow } from './users.queries.ts'

/** Requests of members to delete their account, until it is done by the module `privacy`. */

const dayMs = 86_400_000

/** When these accounts will be deleted, for those whose owner has asked for it. */
export async function findDeletionTimes(db: Db, userIds: readonly number[]): Promise<Map<number, number>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('account_deletion')
    .select(['user_id', 'due_at'])
    .where('user_id', 'in', userIds)
    .where('started_at', 'is', null)
    .execute()
  return new Map(rows.map(({ user_id, due_at }) => [user_id, due_at]))
}

/** False if there was no request, or the deletion has begun. */
export function cancelDeletion(ctx: Ctx, user: Pick<UserRow, 'id' | 'username' | 'email'>): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    const cancelled = await ctx.db
      .deleteFrom('account_deletion')
      .where('user_id', '=', user.id)
      .where('started_at', 'is', null)
      .returning('user_id')
      .executeTakeFirst()
    if (!cancelled) return false
    if (user.email && isMailEnabled(ctx.settings))
      await enqueueMail(ctx, {
        to: user.email,
        template: 'deletion-cancelled',
        params: { username: user.username },
        expiresAt: ctx.now() + dayMs,
      })
    return true
  })
}
