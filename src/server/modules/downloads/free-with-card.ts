import type { Ctx } from '#server/context.ts'
import type { ActiveCard } from '#server/modules/users/vip-members.ts'

/** A document marked VIP is free with a card that has some left, or that it was taken with before. */
export async function isFreeWith(ctx: Ctx, card: ActiveCard, documentId: number): Promise<boolean> {
  return countLeftOn(card) !== 0 || hasTaken(ctx, card, documentId)
}

/** How many free documents are left on a card; -1 for any number. */
export function countLeftOn({ download, download_used }: ActiveCard): number {
  return download === 0 ? -1 : Math.max(0, download - download_used)
}

/**
 * Takes a document free with a card; false if there is none left. Each document counts once, however often it is
 * downloaded: the count locks the card, so that what was taken at the same time is seen after it.
 */
export async function takeFree(ctx: Ctx, card: ActiveCard, documentId: number): Promise<boolean> {
  const isCounted = await countFreeDocument(ctx, card.id, 1)
  const isTaken = await hasTaken(ctx, card, documentId)
  if (isCounted && isTaken) await countFreeDocument(ctx, card.id, -1)
  return isCounted || isTaken
}

async function hasTaken({ db }: Ctx, { id, user_id }: ActiveCard, documentId: number): Promise<boolean> {
  const taken = await db
    .selectFrom('download')
    .select('id')
    .where('document_id', '=', documentId)
    .where('user_id', '=', user_id)
    .where('user_vip_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return taken !== undefined
}

/** One more of the card's free documents, or one less; false if there is none left. One statement decides. */
async function countFreeDocument({ db, now }: Ctx, cardId: number, change: 1 | -1): Promise<boolean> {
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
