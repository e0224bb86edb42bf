import { deletedUserName } from '#shared/names.ts'
import type { Ctx } from '#server/context.ts'
import { publish } from '#server/durable-events.ts'
import { isMailEnabled } from '#server/gateways/mail.ts'
import { takeCredit } from '#server/modules/credits/credits.ledger.ts'
import { enqueueMail } from '#server/modules/mail/mail.service.ts'
import { deleteUserRows } from '#server/modules/users/delete-user-rows.ts'
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
  await deleteUserRows(ctx.db, [id])
  const addresses = [email, emailKey(email), user.mobile].filter((address) => address !== '')
  if (addresses.length > 0) {
    await ctx.db.deleteFrom('verification_code').where('target', 'in', addresses).execute()
    await ctx.db.deleteFrom('sms').where('mobile', 'in', addresses).execute()
  }
  await publish(ctx, 'users.deleted', { ids: [id] })
  ctx.emit('site.changed', {})
}

const erasedColumns = {
  username: deletedUserName,
  password: '',
  mobile: '',
  mobile_verified_at: null,
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

/** No name has a colon, so that no other member gets the key. */
function formerName({ now }: Ctx, { id, username_key }: UserRow) {
  return { username_key: `deleted:${id}`, former_username_key: username_key, username_changed_at: now() }
}
