import { Punishment } from '#shared/enums.ts'
import type { punishments } from '#shared/contract/access.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { bit } from '#server/db/tables/column.ts'
import { publish } from '#server/durable-events.ts'
import { assertCanChangeUsers, holdsAll } from './access.policy.ts'
import { endUserSessions } from '#server/modules/auth/sessions.ts'
import { findRootId } from './access.queries.ts'
import { findPermissionPaths } from './access.viewer.ts'

/** Databases limit the number of values in a statement. */
const batchSize = 1000

/** One row for each user and type. */
export function punish(ctx: MemberCtx, input: Input<typeof punishments.create>): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const users = await ctx.db.selectFrom('user').select('id').where('id', 'in', input.user_id).execute()
    await assertCanPunish(
      ctx,
      users.map(({ id }) => id),
    )
    const now = ctx.now()
    const rows = users.flatMap(({ id }) =>
      input.type.map((type) => ({
        user_id: id,
        type,
        enable: bit(input.enable),
        reason: input.reason,
        remark: input.remark,
        end_time: input.end_time ?? null,
        operators: appendOperator(ctx, '[]'),
        created_at: now,
        updated_at: now,
      })),
    )
    for (let from = 0; from < rows.length; from += batchSize) {
      const added = await ctx.db
        .insertInto('punishment')
        .values(rows.slice(from, from + batchSize))
        .returning('id')
        .execute()
      const ids = added.map(({ id }) => id)
      if (input.enable) await publish(ctx, 'users.punished', { ids, staff: ctx.viewer.id })
    }
    await endDisabledSessions(ctx, rows)
  })
}

export function updatePunishment(ctx: MemberCtx, { id, ...input }: Input<typeof punishments.update>): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const before = await ctx.db.selectFrom('punishment').selectAll().where('id', '=', id).executeTakeFirst()
    if (!before) throw errors.punishments.notFound()
    await assertCanPunish(ctx, [before.user_id])
    const row = { ...input, enable: bit(input.enable), end_time: input.end_time ?? null }
    await ctx.db
      .updateTable('punishment')
      .set({ ...row, operators: appendOperator(ctx, before.operators), updated_at: ctx.now() })
      .where('id', '=', id)
      .execute()
    await endDisabledSessions(ctx, [{ ...row, user_id: before.user_id }])
  })
}

export function cancelPunishments(ctx: MemberCtx, ids: readonly number[]): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const rows = await ctx.db
      .selectFrom('punishment')
      .select(['id', 'user_id', 'operators'])
      .where('id', 'in', ids)
      .execute()
    await assertCanPunish(
      ctx,
      rows.map(({ user_id }) => user_id),
    )
    for (const { id, operators } of rows) {
      await ctx.db
        .updateTable('punishment')
        .set({ enable: 0, operators: appendOperator(ctx, operators), updated_at: ctx.now() })
        .where('id', '=', id)
        .execute()
    }
  })
}

/** Staff punish neither root nor themselves, nor users with permissions that the viewer does not hold. */
async function assertCanPunish(ctx: MemberCtx, userIds: readonly number[]): Promise<void> {
  const rootId = await findRootId(ctx.db)
  if (userIds.some((id) => id === rootId)) throw errors.users.rootUnpunishable()
  if (userIds.includes(ctx.viewer.id)) throw errors.punishments.ownKept()
  await assertCanChangeUsers(ctx, userIds)
  if (!holdsAll(ctx.viewer, await findPermissionPaths(ctx.db, userIds))) throw errors.groups.beyondOwn()
}

async function endDisabledSessions(
  ctx: MemberCtx,
  rows: readonly { user_id: number; type: Punishment; enable: number; end_time: number | null }[],
): Promise<void> {
  const inForce = rows.filter(
    ({ type, enable, end_time }) =>
      type === Punishment.Disabled && enable && (end_time === null || end_time > ctx.now()),
  )
  await endUserSessions(
    ctx.db,
    inForce.map(({ user_id }) => user_id),
  )
}

/** The last 20 changes by user and time, as API clients expect them: `[{u, t, ts}]`. */
function appendOperator(ctx: MemberCtx, operators: string): string {
  const before: unknown[] = operators ? JSON.parse(operators) : []
  const at = ctx.now()
  return JSON.stringify([...before.slice(-19), { u: ctx.viewer.username, t: new Date(at).toISOString(), ts: at }])
}
