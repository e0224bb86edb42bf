import { Punishment } from '#shared/enums.ts'
import type { users } from '#shared/contract/users.ts'
import type { Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { loadViewer } from '#server/modules/access/access.viewer.ts'
import { openSession } from '#server/modules/auth/sessions.ts'
import { cancelDeletion } from '../deletion-requests.ts'
import { ownUser } from '../users.present.ts'
import type { UserRow } from '../users.queries.ts'

/**
 * The end of every way to log in, whatever the member has proven before. Opens a session, unless the password was changed or
 * the account disabled meanwhile.
 */
export function signIn(ctx: Ctx, user: UserRow): Promise<Reply<typeof users.login>> {
  return transaction(ctx, async (ctx) => {
    const current = await ctx.db
      .updateTable('user')
      .set({ login_at: ctx.now(), last_login_ip: ctx.origin.ip })
      .where('id', '=', user.id)
      .where('password', '=', user.password)
      .returningAll()
      .executeTakeFirst()
    if (!current || current.deleted_at !== null) throw errors.users.wrongCredentials()
    const viewer = await loadViewer(ctx, { ...current, sessionId: 0 })
    const disabled = viewer.punished(Punishment.Disabled)
    if (disabled) throw errors.punishments.active(disabled)
    await cancelDeletion(ctx, current)
    return { token: await openSession(ctx, user.id), user: await ownUser(ctx, current) }
  })
}
