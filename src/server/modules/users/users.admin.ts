import type { users } from '#shared/contract/users.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { bit } from '#server/db/tables/column.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { publish } from '#server/durable-events.ts'
import { endUserSessions } from '#server/modules/auth/sessions.ts'
import { assertStrongPassword, hashPassword } from '#server/modules/auth/passwords.ts'
import { deleteUserRows } from './delete-user-rows.ts'
import { assertCanGrant, assertCanManage, assertOwnPassword, assertRootStays } from './users.policy.ts'
import { findUser, setGroups, setPassword } from './users.queries.ts'
import { addUser } from './sign-in/register.ts'
import { acceptableName, assertNameFree } from './users.names.ts'

export async function createUser(ctx: MemberCtx, input: Input<typeof users.create>): Promise<void> {
  await assertNameFree(ctx, acceptableName(input.username))
  await assertCanGrant(ctx, input.group_id)
  assertStrongPassword(ctx, input.password, input)
  const password = await hashPassword(input.password)
  await transaction(ctx, async (ctx) => {
    const { id } = await addUser(ctx, { ...input, password, groupIds: input.group_id })
    await setPassword(ctx.db, id, password, ctx.now(), { byOther: true })
  })
}

export async function setUser(
  ctx: MemberCtx,
  { id, group_id, password, sets_end, member_until }: Input<typeof users.set>,
): Promise<void> {
  const user = await findUser(ctx.db, id)
  if (!user) throw errors.users.notFound()
  if (user.deleted_at !== null) throw errors.users.deleted()
  await assertCanManage(ctx, id)
  await assertCanGrant(ctx, group_id)
  if (member_until && member_until <= ctx.now()) throw errors.invitations.endsBefore()
  if (password) assertStrongPassword(ctx, password, user)
  const hashed = password && (await hashPassword(password))
  await transaction(ctx, async (ctx) => {
    // First, to lock the row: concurrent changes of the same user's groups wait instead of being merged.
    await ctx.db.updateTable('user').set({ updated_at: ctx.now() }).where('id', '=', id).execute()
    await assertRootStays(ctx.db, id, group_id)
    if (sets_end && !member_until) ctx.audit?.({ notice: '在组里没有期限' })
    await setGroups(ctx.db, id, group_id, sets_end ? member_until : undefined)
    if (!hashed) return
    await setPassword(ctx.db, id, hashed, ctx.now(), { byOther: id !== ctx.viewer.id })
    await endUserSessions(ctx.db, [id])
  })
}

/** Works that a trusted author publishes are not reviewed; those that wait already still are. */
export function trustUser(ctx: MemberCtx, { id, is_trusted }: Input<typeof users.trust>): Promise<void> {
  if (id === ctx.viewer.id) throw errors.users.ownTrust()
  return transaction(ctx, async (ctx) => {
    const { numUpdatedRows } = await ctx.db
      .updateTable('user')
      .set({ is_trusted: bit(is_trusted), updated_at: ctx.now() })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw errors.users.notFound()
    ctx.audit?.({ change: '' })
  })
}

/** Deletes accounts without content. Requires the viewer's own password. */
export async function deleteUsers(ctx: MemberCtx, { id: ids, password }: Input<typeof users.delete>): Promise<void> {
  await assertOwnPassword(ctx, password)
  await transaction(ctx, async (ctx) => {
    await lockRows(ctx, 'user', ids)
    const rows = await ctx.db.selectFrom('user').select(['id', 'is_root']).where('id', 'in', ids).execute()
    for (const { id, is_root } of rows) {
      if (is_root) throw errors.users.rootKept()
      await assertCanManage(ctx, id)
    }
    // The users' counters have public content only: hidden or deleted content counts too.
    for (const table of ['document', 'article'] as const) {
      const owned = await ctx.db.selectFrom(table).select('id').where('user_id', 'in', ids).executeTakeFirst()
      if (owned) throw errors.users.hasContent()
    }
    await deleteUserRows(ctx.db, ids)
    await ctx.db.deleteFrom('account_deletion').where('user_id', 'in', ids).execute()
    await ctx.db.deleteFrom('user').where('id', 'in', ids).execute()
    await publish(ctx, 'users.deleted', { ids })
  })
}
