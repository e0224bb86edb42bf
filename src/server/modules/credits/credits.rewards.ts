import { ActivityType } from '#shared/enums.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { consumeQuota, type DailyQuota } from '#server/modules/access/quotas.ts'
import { recordActivity } from '#server/modules/users/activity.ts'
import { addCredit, hasEntry, takeCredit } from './credits.ledger.ts'

export async function rewardRegistration(ctx: Ctx, userId: number): Promise<void> {
  const amount = ctx.settings.score.register
  if (amount === 0) return
  await transaction(ctx, async (ctx) => {
    const key = `register:${userId}`
    const isNew = await addCredit(ctx, { userId, amount, reason: 'register', refId: userId, key })
    if (isNew) await recordActivity(ctx, { userId, type: ActivityType.Register, amount })
  })
}

/** Rewards a limited number of documents a day; gives the amount by document. Call it in the transaction that inserts them. */
export async function rewardUpload(
  ctx: Ctx,
  userId: number,
  documentIds: readonly number[],
): Promise<Map<number, number>> {
  const rewards = new Map<number, number>()
  const amount = ctx.settings.score.upload_document
  if (amount === 0) return rewards
  for (const refId of documentIds) {
    if (!(await consumeQuota(ctx, uploadRewardQuota(ctx, userId)))) break
    const isNew = await addCredit(ctx, { userId, amount, reason: 'upload', refId, key: `upload:${refId}` })
    if (isNew) rewards.set(refId, amount)
  }
  return rewards
}

/** How many uploads of a day are rewarded. */
export function uploadRewardQuota({ settings }: Pick<Ctx, 'settings'>, userId: number): DailyQuota {
  return { quota: 'reward.upload', subject: userId, limit: settings.score.upload_document_limit }
}

interface FavoriteReward {
  authorId: number
  documentId: number
  favoritedBy: number
}

/**
 * Rewards a limited number of favorites a day, and each member's favorite of a document once: removing and adding it again
 * earns nothing. Gives the amount. Call it in the transaction that inserts it and has locked the author's balance.
 */
export async function rewardFavorite(ctx: Ctx, { authorId, documentId, favoritedBy }: FavoriteReward): Promise<number> {
  const { document_collected: amount, document_collected_limit: limit } = ctx.settings.score
  const key = `favorited:${documentId}:${favoritedBy}`
  if (amount === 0 || (await hasEntry(ctx, key))) return 0
  if (!(await consumeQuota(ctx, { quota: 'reward.favorite', subject: authorId, limit }))) return 0
  const isNew = await addCredit(ctx, { userId: authorId, amount, reason: 'favorited', refId: documentId, key })
  return isNew ? amount : 0
}

interface CommentReward {
  authorId: number
  documentId: number
  commentId: number
}

/**
 * Rewards the author of a document for a limited number of comments a day, for each of them once. Gives the amount; undefined
 * if the comment was rewarded before. Call it in the transaction that publishes the comment and has locked the author's row.
 */
export async function rewardComment(ctx: Ctx, reward: CommentReward): Promise<number | undefined> {
  const { authorId: userId, documentId: refId, commentId } = reward
  const { document_commented: amount, document_commented_limit: limit } = ctx.settings.score
  const key = `commented:${commentId}`
  if (await hasEntry(ctx, key)) return undefined
  if (amount === 0 || !(await consumeQuota(ctx, { quota: 'reward.commented', subject: userId, limit }))) return 0
  return (await addCredit(ctx, { userId, amount, reason: 'commented', refId, key })) ? amount : 0
}

/** Gives the amount taken. */
export function penaliseDeletion(ctx: Ctx, ownerId: number, documentId: number): Promise<number> {
  const amount = ctx.settings.score.delete_document
  return takeCredit(ctx, { userId: ownerId, amount, reason: 'delete', refId: documentId })
}
