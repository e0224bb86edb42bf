import type { punishments } from '#shared/contract/access.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { rootId } from '#shared/permissions.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { bit } from '#server/db/tables/column.ts'
import { withinReach } from './access.policy.ts'
import { endSessionsOf } from '#server/modules/auth/sessions.ts'
import { permissionsOf } from './access.viewer.ts'

const disabling = 1
/** Rows of one statement: databases bound how many values it may carry. */
const batch = 1000

/** One record for each user and kind. User 1 cannot be punished, nor anybody who may do more than the punisher. */
export function punish(ctx: MemberCtx, input: Input<typeof punishments.create>): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const users = await ctx.db
      .selectFrom('user')
      .select('id')
      .where('id', 'in', input.user_id)
      .where('id', '!=', rootId)
      .execute()
    await refuseUnjudgeable(
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
        operators: signed(ctx, '[]'),
        created_at: now,
        updated_at: now,
      })),
    )
    for (let from = 0; from < rows.length; from += batch) {
      await ctx.db
        .insertInto('punishment')
        .values(rows.slice(from, from + batch))
        .execute()
    }
    await endWhereDisabled(ctx, rows)
  })
}

export function updatePunishment(ctx: MemberCtx, { id, ...input }: Input<typeof punishments.update>): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const before = await ctx.db.selectFrom('punishment').selectAll().where('id', '=', id).executeTakeFirst()
    if (!before) throw errors.punishments.notFound()
    await refuseUnjudgeable(ctx, [before.user_id])
    const row = { ...input, enable: bit(input.enable), end_time: input.end_time ?? null }
    await ctx.db
      .updateTable('punishment')
      .set({ ...row, operators: signed(ctx, before.operators), updated_at: ctx.now() })
      .where('id', '=', id)
      .execute()
    await endWhereDisabled(ctx, [{ ...row, user_id: before.user_id }])
  })
}

export function cancelPunishments(ctx: MemberCtx, ids: readonly number[]): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const rows = await ctx.db
      .selectFrom('punishment')
      .select(['id', 'user_id', 'operators'])
      .where('id', 'in', ids)
      .execute()
    await refuseUnjudgeable(
      ctx,
      rows.map(({ user_id }) => user_id),
    )
    for (const { id, operators } of rows) {
      await ctx.db
        .updateTable('punishment')
        .set({ enable: 0, operators: signed(ctx, operators), updated_at: ctx.now() })
        .where('id', '=', id)
        .execute()
    }
  })
}

/** Nobody judges somebody who may do more than they, nor themselves. */
async function refuseUnjudgeable(ctx: MemberCtx, userIds: readonly number[]): Promise<void> {
  if (userIds.includes(ctx.viewer.id) && !ctx.viewer.isRoot) throw errors.punishments.ownKept()
  if (!withinReach(ctx.viewer, await permissionsOf(ctx.db, userIds))) throw errors.groups.beyondOwn()
}

async function endWhereDisabled(
  ctx: MemberCtx,
  rows: readonly { user_id: number; type: number; enable: number; end_time: number | null }[],
): Promise<void> {
  const inForce = rows.filter(
    ({ type, enable, end_time }) => type === disabling && enable && (end_time === null || end_time > ctx.now()),
  )
  await endSessionsOf(
    ctx.db,
    inForce.map(({ user_id }) => user_id),
  )
}

/** Who touched the record and when, as clients of this interface read it: `[{u, t, ts}]`. */
function signed(ctx: MemberCtx, operators: string): string {
  const before: unknown[] = operators ? JSON.parse(operators) : []
  const at = ctx.now()
  return JSON.stringify([...before.slice(-19), { u: ctx.viewer.username, t: new Date(at).toISOString(), ts: at }])
}
