import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'

/** Before anything that has the site ask another one. */
export function assertSpiderEnabled({ settings }: Ctx): void {
  if (!settings.spider.enable) throw errors.spider.off()
}
