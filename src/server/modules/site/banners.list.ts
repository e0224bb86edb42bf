import type { banners } from '#shared/contract/site.ts'
import type { Input } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { listRows } from '#server/db/list.ts'
import { isRunning } from './schedule.ts'

/** For visitors: banners that are running, without their schedule and weight. */
export async function listRunningBanners(ctx: Ctx, { type, ...input }: Input<typeof banners.list>) {
  let query = ctx.db
    .selectFrom('banner')
    .select(['id', 'title', 'path', 'url', 'description', 'type'])
    .where(isRunning(ctx.now()))
  if (type.length > 0) query = query.where('type', 'in', type)
  const { total, rows } = await listRows(query, { ...input, order: '' }, { order: bannerOrder })
  return { total, banner: rows.map((row) => ({ ...row, ...hiddenFields })) }
}

export const bannerOrder = [
  ['enable', 'desc'],
  ['sort', 'desc'],
  ['id', 'asc'],
] as const

const hiddenFields = { sort: 0, enable: true, start_time: null, end_time: null, created_at: null, updated_at: null }
