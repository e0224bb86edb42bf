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

export type ActiveCard = NonNullable<Awaited<ReturnType<typeof findActiveCard>>>

/**
 * The card that counts now: the first that has not ended. Not the one that has begun: after the clock was set back that
 * would be none.
 */
export async function findActiveCard({ db, viewer, settings, now }: Ctx) {
  if (viewer.id === 0 || !settings.vip.enable) return undefined
  return (
    db
      .selectFrom('user_vip')
      .selectAll()
      .where('user_id', '=', viewer.id)
      .where('expired_at', '>', now())
      // One that was ended before it began lasts no time at all.
      .whereRef('expired_at', '>', 'joined_at')
      .orderBy('joined_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
  )
}
