import type { sms } from '#shared/contract/sms.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { SmsStatus } from '#shared/enums.ts'
import { maskMobile } from '#shared/mobile.ts'
import type { Ctx } from '#server/context.ts'
import { dayStart } from '#server/days.ts'
import { listRows, within } from '#server/db/list.ts'

const retentionDays = 180

/**
 * Staff without the permission see a part of each number, and find only a number that they know in full: a search by parts
 * would tell the rest.
 */
export async function listSms(ctx: Ctx, input: Input<typeof sms.list>): Promise<Reply<typeof sms.list>> {
  const { status, scene, created_at, ...request } = input
  const seesNumbers = ctx.viewer.can('SmsAPI/GetSms')
  let query = ctx.db.selectFrom('sms').selectAll().where(within('created_at', created_at))
  if (status.length > 0) query = query.where('status', 'in', status)
  if (scene.length > 0) query = query.where('scene', 'in', scene)
  if (!seesNumbers && request.wd) query = query.where('mobile', '=', request.wd)
  const { total, rows } = await listRows(query, request, {
    search: seesNumbers ? ['mobile', 'reason'] : undefined,
    order: [['id', 'desc']],
    sortable: ['created_at', 'segments', 'cost'],
    sizes: { min: 1, max: 1000, default: 20 },
  })
  const show = seesNumbers ? String : maskMobile
  return { total, sms: rows.map((row) => ({ ...row, mobile: show(row.mobile) })) }
}

/** What was sent since midnight, and what it costs by the price that the owner has set. */
export async function countToday(ctx: Ctx): Promise<Reply<typeof sms.today>> {
  const row = await ctx.db
    .selectFrom('sms')
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.countAll<number>().filterWhere('status', '=', SmsStatus.Failed).as('failed'),
      fn.sum<number | null>('segments').as('segments'),
      fn.sum<number | null>('cost').as('cost'),
    ])
    .where('created_at', '>=', dayStart(ctx.now()))
    .executeTakeFirstOrThrow()
  const { total, failed, segments, cost } = row
  const limit = ctx.settings.sms.times_whole_site
  return { total, failed, segments: Number(segments), cost: Number(cost), limit }
}

export async function deleteSms(ctx: Ctx, { id }: Input<typeof sms.delete>): Promise<void> {
  await ctx.db.deleteFrom('sms').where('id', 'in', id).execute()
}

export async function purgeSms(ctx: Ctx): Promise<void> {
  await ctx.db.deleteFrom('sms').where('created_at', '<', dayStart(ctx.now(), retentionDays)).execute()
}
