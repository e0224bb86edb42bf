import { type Ctx, transaction } from '#server/context.ts'
import { takeDaily } from '#server/modules/access/quotas.ts'
import { recordDynamic } from '#server/modules/users/activity.ts'
import { addCredit, isEntered, takeCredit } from './credits.ledger.ts'

export async function rewardRegistration(ctx: Ctx, userId: number): Promise<void> {
  const amount = ctx.settings.score.register
  if (amount === 0) return
  await transaction(ctx, async (ctx) => {
    const key = `register:${userId}`
    const given = await addCredit(ctx, { userId, amount, reason: 'register', refId: userId, key })
    if (given) await recordDynamic(ctx, { userId, type: 6, amount })
  })
}

/** So many documents a day are rewarded; says which, and how much. Call it in the transaction that makes them. */
export async function rewardUpload(
  ctx: Ctx,
  userId: number,
  documentIds: readonly number[],
): Promise<Map<number, number>> {
  const rewards = new Map<number, number>()
  const { upload_document: amount, upload_document_limit: limit } = ctx.settings.score
  if (amount === 0) return rewards
  for (const refId of documentIds) {
    if (!(await takeDaily(ctx, { kind: 'reward.upload', who: userId, limit }))) break
    const given = await addCredit(ctx, { userId, amount, reason: 'upload', refId, key: `upload:${refId}` })
    if (given) rewards.set(refId, amount)
  }
  return rewards
}

interface Kept {
  authorId: number
  documentId: number
  /** Who keeps it. */
  by: number
}

/**
 * So many favourites a day are rewarded, and nobody's of a document twice: to take one back and give it again pays
 * nothing. Says how much. Call it in the transaction that makes it, which holds the author's balance.
 */
export async function rewardFavorite(ctx: Ctx, { authorId, documentId, by }: Kept): Promise<number> {
  const { document_collected: amount, document_collected_limit: limit } = ctx.settings.score
  const key = `favorited:${documentId}:${by}`
  if (amount === 0 || (await isEntered(ctx, key))) return 0
  if (!(await takeDaily(ctx, { kind: 'reward.favorite', who: authorId, limit }))) return 0
  const given = await addCredit(ctx, { userId: authorId, amount, reason: 'favorited', refId: documentId, key })
  return given ? amount : 0
}

interface Commented {
  authorId: number
  documentId: number
  commentId: number
}

/**
 * So many comments a day bring the author of a document something, and none of them twice. Says how much; nothing at all
 * when it has brought it before. Call it in the transaction that shows the comment, which holds the author's row.
 */
export async function rewardComment(ctx: Ctx, commented: Commented): Promise<number | undefined> {
  const { authorId: userId, documentId: refId, commentId } = commented
  const { document_commented: amount, document_commented_limit: limit } = ctx.settings.score
  const key = `commented:${commentId}`
  if (await isEntered(ctx, key)) return undefined
  if (amount === 0 || !(await takeDaily(ctx, { kind: 'reward.commented', who: userId, limit }))) return 0
  return (await addCredit(ctx, { userId, amount, reason: 'commented', refId, key })) ? amount : 0
}

/** Says how much was there to be taken. */
export function penaliseDeletion(ctx: Ctx, ownerId: number, documentId: number): Promise<number> {
  const amount = ctx.settings.score.delete_document
  return takeCredit(ctx, { userId: ownerId, amount, reason: 'delete', refId: documentId })
}
