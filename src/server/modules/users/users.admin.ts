import type { users } from '#shared/contract/users.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { rootId } from '#shared/permissions.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { countAttempt, forgetAttempts } from '#server/modules/auth/attempts.ts'
import { endSessionsOf } from '#server/modules/auth/sessions.ts'
import { hashPassword, passwordMatches } from '#server/modules/auth/passwords.ts'
import { refuseUngivable, refuseUnmanageable } from './users.policy.ts'
import { findUser, setGroups, setPassword } from './users.queries.ts'
import { addUser, refuseTaken } from './sign-in/register.ts'

export async function createUser(ctx: MemberCtx, input: Input<typeof users.create>): Promise<void> {
  await refuseTaken(ctx, input)
  await refuseUngivable(ctx, input.group_id)
  const password = await hashPassword(input.password)
  await transaction(ctx, async (ctx) => {
    const { id } = await addUser(ctx, { ...input, password, groupIds: input.group_id })
    ctx.emit('user.registered', { id })
  })
}

export async function setUser(ctx: MemberCtx, { id, group_id, password }: Input<typeof users.set>): Promise<void> {
  if (!(await findUser(ctx.db, id))) throw errors.users.notFound()
  await refuseUnmanageable(ctx, id)
  await refuseUngivable(ctx, group_id)
  const hashed = password && (await hashPassword(password))
  await transaction(ctx, async (ctx) => {
    // Written first: who sets the same user at the same time waits here, so that two sets of groups do not become one.
    await ctx.db.updateTable('user').set({ updated_at: ctx.now() }).where('id', '=', id).execute()
    await setGroups(ctx.db, id, group_id)
    if (!hashed) return
    await setPassword(ctx.db, id, hashed, ctx.now())
    await endSessionsOf(ctx.db, [id])
  })
}

/** Deletes accounts that own nothing. The one who deletes proves again who they are. */
export async function deleteUsers(ctx: MemberCtx, { id: ids, password }: Input<typeof users.delete>): Promise<void> {
  const own = await findUser(ctx.db, ctx.viewer.id)
  const key = `password:${ctx.viewer.id}`
  await countAttempt(ctx, key, { free: 5, longestMs: 15 * 60_000 })
  if (!(await passwordMatches(own?.password, password))) throw errors.users.ownPasswordWrong()
  await forgetAttempts(ctx, [key])

  await transaction(ctx, async (ctx) => {
    const found = await ctx.db.selectFrom('user').select('id').where('id', 'in', ids).execute()
    for (const { id } of found) {
      if (id === rootId) throw errors.users.rootKept()
      await refuseUnmanageable(ctx, id)
    }
    // Their figures count only what everybody sees; what is hidden or in the recycle bin is theirs as well.
    for (const table of ['document', 'article'] as const) {
      const owned = await ctx.db.selectFrom(table).select('id').where('user_id', 'in', ids).executeTakeFirst()
      if (owned) throw errors.users.hasContent()
    }
    await endSessionsOf(ctx.db, ids)
    await ctx.db.deleteFrom('user_group').where('user_id', 'in', ids).execute()
    await ctx.db.deleteFrom('punishment').where('user_id', 'in', ids).execute()
    await ctx.db.deleteFrom('reset_token').where('user_id', 'in', ids).execute()
    await ctx.db.deleteFrom('dynamic').where('user_id', 'in', ids).execute()
    await ctx.db.deleteFrom('sign').where('user_id', 'in', ids).execute()
    await ctx.db.deleteFrom('user').where('id', 'in', ids).execute()
    await enqueue(ctx, { kind: 'social.forget-members', payload: { ids } })
  })
}
