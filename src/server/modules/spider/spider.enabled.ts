import type { SpiderBlock } from '#shared/contract/spider.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { getToday } from './spider.counts.ts'

const megabyte = 1024 * 1024

/** Before anything that has the site ask another one. */
export function assertSpiderEnabled({ settings }: Ctx): void {
  if (!settings.spider.enable) throw errors.spider.off()
}

/** Why nothing is requested at the moment, however much waits. */
export async function findBlock(ctx: Ctx): Promise<SpiderBlock> {
  if (!ctx.settings.spider.enable) return 'off'
  return (await isDayFull(ctx)) ? 'day_full' : ''
}

/** The owner's limit of bytes a day is reached. */
export async function isDayFull(ctx: Ctx): Promise<boolean> {
  const limit = ctx.settings.spider.bytes_every_day * megabyte
  return limit > 0 && (await getToday(ctx)).bytes >= limit
}
