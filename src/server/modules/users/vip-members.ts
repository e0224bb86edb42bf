import type { Ctx } from '#server/context.ts'

/** Has a VIP card that has not ended, on a site that offers VIP. */
export function isVip({ settings, now }: Pick<Ctx, 'settings' | 'now'>, user: { vip_until: number }): boolean {
  return settings.vip.enable && user.vip_until > now()
}

export async function isVipViewer(ctx: Ctx): Promise<boolean> {
  const { db, viewer, settings } = ctx
  if (viewer.id === 0 || !settings.vip.enable) return false
  const user = await db.selectFrom('user').select('vip_until').where('id', '=', viewer.id).executeTakeFirst()
  return user !== undefined && isVip(ctx, user)
}
