import type { punishments } from '#shared/contract/access.ts'
import { errors } from '#shared/errors.ts'
import { listRows, within } from '#server/db/list.ts'
import { bit } from '#server/db/tables/column.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { cancelPunishments, punish, updatePunishment } from './punishments.service.ts'

export const punishmentRoutes: Handlers<typeof punishments> = {
  async create(ctx, input) {
    await punish(ctx, input)
    return {}
  },
  async update(ctx, input) {
    await updatePunishment(ctx, input)
    return {}
  },
  async get(ctx, { id }) {
    const row = await selectWithUsername(ctx.db).where('punishment.id', '=', id).executeTakeFirst()
    if (!row) throw errors.punishments.notFound()
    return present(row)
  },
  async list(ctx, { type, enable, user_id, created_at, ...input }) {
    let query = selectWithUsername(ctx.db).where(within('punishment.created_at', created_at))
    if (type.length > 0) query = query.where('punishment.type', 'in', type)
    if (enable.length === 1) query = query.where('punishment.enable', '=', bit(enable[0] === true))
    if (user_id.length > 0) query = query.where('punishment.user_id', 'in', user_id)
    const { total, rows } = await listRows(query, input, {
      search: ['punishment.reason', 'punishment.remark'],
      order: [['punishment.id', 'desc']],
      sortable: ['end_time', 'type', 'user_id'],
    })
    return { total, punishment: rows.map(present) }
  },
  async cancel(ctx, { id }) {
    await cancelPunishments(ctx, id)
    return {}
  },
}

function selectWithUsername(db: Parameters<typeof punish>[0]['db']) {
  return db
    .selectFrom('punishment')
    .leftJoin('user', 'user.id', 'punishment.user_id')
    .selectAll('punishment')
    .select('user.username')
}

type Row = NonNullable<Awaited<ReturnType<ReturnType<typeof selectWithUsername>['executeTakeFirst']>>>

function present(row: Row) {
  return { ...row, username: row.username ?? '', enable: row.enable === 1 }
}
