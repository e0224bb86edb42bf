import type { Updateable } from 'kysely'
import { users } from '#shared/contract/users.ts'
import type { Input } from '#shared/endpoint.ts'
import { ActivityType } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { cleanName } from '#shared/names.ts'
import { describeDiff } from '#server/audit-text.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { isTaken } from '#server/db/conflicts.ts'
import type { Tables } from '#server/db/tables.ts'
import { assertProven } from '#server/proof.ts'
import { consumeQuota } from '#server/modules/access/quotas.ts'
import { countAttempt, resetAttempts } from '#server/modules/auth/attempts.ts'
import { endOtherSessions, endUserSessions } from '#server/modules/auth/sessions.ts'
import { assertStrongPassword, hashPassword, passwordMatches } from '#server/modules/auth/passwords.ts'
import { recordActivity } from './activity.ts'
import { changedIdentity } from './identity/identity-columns.ts'
import { renamedColumns } from './users.names.ts'
import { assertCanManage } from './users.policy.ts'
import { emailKey, findUser, setPassword, type UserRow } from './users.queries.ts'

const maxRenamesEveryDay = 5

/**
 * Members enter their e-mail and mobile once; later only staff who manage users can change them. Both may be those of another
 * account until they are verified: an answer would tell who has an account. Their name they can change now and then. It ends
 * no session.
 */
export async function updateProfile(ctx: MemberCtx, input: Input<typeof users.profile>): Promise<void> {
  await countRename(ctx, input)
  return transaction(ctx, async (ctx) => {
    const id = input.id || ctx.viewer.id
    const manages = ctx.viewer.can('UserAPI/UpdateUserProfile')
    if (id !== ctx.viewer.id && !manages) throw errors.access.denied()
    const user = await findUser(ctx.db, id)
    if (!user) throw errors.users.notFound()
    if (user.deleted_at !== null) throw errors.users.deleted()
    if (id !== ctx.viewer.id) await assertCanManage(ctx, id)

    const email = manages || !user.email ? (input.email ?? user.email) : user.email
    const mobile = manages || !user.mobile ? (input.mobile ?? user.mobile) : user.mobile
    const renamed = await renamedColumns(ctx, user, { username: input.username, byStaff: manages })
    const columns = {
      email,
      mobile,
      ...changedIdentity(ctx, user, input),
      address: input.address,
      signature: input.signature,
      avatar: input.avatar || user.avatar,
      remark: manages ? (input.remark ?? user.remark) : user.remark,
    }
    ctx.audit?.({ ids: [id], change: describeDiff(user, { ...renamed, ...columns }, users.profile.input) })
    const isSameEmail = emailKey(email) === user.email_key
    // Mail and messages there let in, or set another password, which may be the first one.
    const setsFirst = id === ctx.viewer.id && user.password === ''
    if (!isSameEmail || mobile !== user.mobile) assertProven(ctx, setsFirst ? 'everyone' : 'enrolled')
    const email_verified_at = isSameEmail ? user.email_verified_at : null
    const mobile_verified_at = mobile === user.mobile ? user.mobile_verified_at : null
    const verified = { email_verified_at, mobile_verified_at }
    await storeProfile(ctx, user, { ...columns, ...renamed, email_key: emailKey(email), ...verified })
    if (!renamed.username) return
    const subject = `${user.username} → ${renamed.username}`
    await recordActivity(ctx, { userId: id, type: ActivityType.Rename, subject })
    ctx.emit('site.changed', {})
  })
}

/** Each try to take another name tells whether it is free. It counts outside of the transaction, which a refusal rolls back. */
async function countRename(ctx: MemberCtx, { username }: Input<typeof users.profile>): Promise<void> {
  const { viewer } = ctx
  if (!username || cleanName(username) === viewer.username || viewer.can('UserAPI/UpdateUserProfile')) return
  const tries = { quota: 'users.rename', subject: viewer.id, limit: maxRenamesEveryDay }
  if (!(await consumeQuota(ctx, tries))) throw errors.users.renamedTooOften()
}

async function storeProfile(ctx: MemberCtx, user: UserRow, columns: Updateable<Tables['user']>): Promise<void> {
  try {
    const { numUpdatedRows } = await ctx.db
      .updateTable('user')
      .set({ ...columns, updated_at: ctx.now() })
      .where('id', '=', user.id)
      // Of two changes of the name at once, one is made.
      .where('username', '=', user.username)
      .executeTakeFirst()
    if (!numUpdatedRows) throw errors.users.changedMeanwhile()
  } catch (error) {
    throw isTaken(error) ? errors.users.nameTaken() : error
  }
}

/** A new password ends all sessions of the account but the one in which its owner has just proved the old password, if any. */
export async function changePassword(ctx: MemberCtx, input: Input<typeof users.password>): Promise<void> {
  const id = input.id || ctx.viewer.id
  const user = await findUser(ctx.db, id)
  if (!user) throw errors.users.notFound()
  if (user.deleted_at !== null) throw errors.users.deleted()
  // Before anything is written; passwords say nothing, even masked.
  ctx.audit?.({ ids: [id], change: '' })
  if (id === ctx.viewer.id) await proveOwn(ctx, user, input)
  else if (ctx.viewer.can('UserAPI/SetUser')) await assertCanManage(ctx, id)
  else throw errors.access.denied()

  assertStrongPassword(ctx, input.new_password, user)
  const password = await hashPassword(input.new_password)
  await transaction(ctx, async (ctx) => {
    await setPassword(ctx.db, id, password, ctx.now(), { byOther: id !== ctx.viewer.id })
    if (id === ctx.viewer.id) await endOtherSessions(ctx)
    else await endUserSessions(ctx.db, [id])
  })
}

/** A first password has no old one to prove, and is a way in that stays: a stolen session must not be enough for it. */
async function proveOwn(ctx: MemberCtx, user: UserRow, input: Input<typeof users.password>): Promise<void> {
  if (user.password === '') return assertProven(ctx, 'everyone')
  const key = `password:${user.id}`
  await countAttempt(ctx, key, { free: 5, maxDelayMs: 15 * 60_000 })
  if (!(await passwordMatches(user.password, input.old_password))) throw errors.users.wrongPassword()
  if (input.old_password === input.new_password) throw errors.users.samePassword()
  await resetAttempts(ctx, [key])
}
