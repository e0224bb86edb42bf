import type { Ctx } from '#server/context.ts'

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

/** One more of the card's free documents, or one less; false if there is none left. One statement decides. */
export async function countFreeDocument({ db, now }: Ctx, cardId: number, change: 1 | -1): Promise<boolean> {
  const counted = await db
    .updateTable('user_vip')
    .set((eb) => ({ download_used: eb('download_used', '+', change), updated_at: now() }))
    .where('id', '=', cardId)
    .where('expired_at', '>', now())
    .where((eb) => eb.or([eb.lit(change < 0), eb('download', '=', 0), eb('download_used', '<', eb.ref('download'))]))
    .returning('id')
    .executeTakeFirst()
  return counted !== undefined
}
