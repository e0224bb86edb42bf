import type { users } from '#shared/contract/users.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { administratorsId } from '#shared/permissions.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { findRootId } from '../access/access.queries.ts'
import { assertOwnPassword } from './users.policy.ts'
import { findMemberships, findUser, selectDisabledIds, type UserRow } from './users.queries.ts'

/** The owner hands the site over to another administrator, and stays one. Requires the owner's password. */
export async function handOver(ctx: MemberCtx, { id, password }: Input<typeof users.handOver>): Promise<void> {
  await assertOwnPassword(ctx, password)
  await transaction(ctx, async (ctx) => {
    await lockRows(ctx, 'user', [ctx.viewer.id, id])
    // Meanwhile it may have been handed over already.
    if ((await findRootId(ctx.db)) !== ctx.viewer.id) throw errors.access.denied()
    await setOwner(ctx, id)
  })
}

/** Makes an enabled administrator the owner of the site. Does not ask who is calling: the CLI does without a viewer. */
export function setOwner(ctx: Ctx, userId: number): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const formerId = (await findRootId(ctx.db)) ?? 0
    await lockRows(ctx, 'user', [formerId, userId])
    const [former, heir] = [await findUser(ctx.db, formerId), await findUser(ctx.db, userId)]
    if (!heir) throw errors.users.notFound()
    await assertCanOwn(ctx, heir)
    await ctx.db.updateTable('user').set({ is_root: 0, updated_at: ctx.now() }).where('is_root', '=', 1).execute()
    await ctx.db.updateTable('user').set({ is_root: 1, updated_at: ctx.now() }).where('id', '=', userId).execute()
    ctx.audit?.({ ids: [userId], change: `站长: ${former?.username ?? '（空）'} → ${heir.username}` })
  })
}

async function assertCanOwn(ctx: Ctx, { id, is_root }: UserRow): Promise<void> {
  if (is_root) throw errors.users.rootAlready()
  const memberships = (await findMemberships(ctx.db, [id])).get(id) ?? []
  if (!memberships.some(({ group_id }) => group_id === administratorsId)) throw errors.users.heirNotAdministrator()
  const disabled = await selectDisabledIds(ctx.db, ctx.now()).where('user_id', '=', id).executeTakeFirst()
  if (disabled) throw errors.users.heirDisabled()
}
