import { deletedUserName } from '#shared/names.ts'
import type { Ctx } from '#server/context.ts'
import { publish } from '#server/durable-events.ts'
import { isMailEnabled } from '#server/gateways/mail.ts'
import { endUserSessions } from '#server/modules/auth/sessions.ts'
import { takeCredit } from '#server/modules/credits/credits.ledger.ts'
import { enqueueMail } from '#server/modules/mail/mail.service.ts'
import { emailKey, type UserRow } from '#server/modules/users/users.queries.ts'

const dayMs = 86_400_000

/**
 * Ends an account, in the caller's transaction. Its row stays without anything personal, so that content, orders and the
 * ledger still refer to a member. The e-mail address and the mobile number are free at once, the name after a while.
 */
export async function eraseAccount(ctx: Ctx, user: UserRow): Promise<void> {
  const { id, username, email } = user
  if (email && isMailEnabled(ctx.settings))
    await enqueueMail(ctx, { to: email, template: 'deletion-done', params: { username }, expiresAt: ctx.now() + dayMs })
  if (user.credit_count > 0)
    await takeCredit(ctx, {
      userId: id,
      amount: user.credit_count,
      reason: 'accountDeleted',
      key: `account-deleted:${id}`,
    })
  await ctx.db
    .updateTable('user')
    .set({ ...erasedColumns, ...formerName(ctx, user), deleted_at: ctx.now(), updated_at: ctx.now() })
    .where('id', '=', id)
    .execute()
  await endUserSessions(ctx.db, [id])
  for (const table of ['user_group', 'punishment', 'reset_token', 'activity', 'saved_view', 'check_in'] as const)
    await ctx.db.deleteFrom(table).where('user_id', '=', id).execute()
  if (email)
    await ctx.db
      .deleteFrom('email_code')
      .where('email', 'in', [email, emailKey(email)])
      .execute()
  await publish(ctx, 'users.deleted', { ids: [id] })
  ctx.emit('site.changed', {})
}

const erasedColumns = {
  username: deletedUserName,
  password: '',
  mobile: '',
  email: '',
  email_key: '',
  email_verified_at: null,
  address: '',
  signature: '',
  avatar: '',
  identity: '',
  realname: '',
  realname_key: '',
  remark: '',
  register_ip: '',
  last_login_ip: '',
  login_at: null,
  vip_until: 0,
}

/** No name has a colon, so that nobody else gets the key. */
function formerName({ now }: Ctx, { id, username_key }: UserRow) {
  return { username_key: `deleted:${id}`, former_username_key: username_key, username_changed_at: now() }
}
