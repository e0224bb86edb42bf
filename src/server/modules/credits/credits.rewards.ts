import type { Ctx } from '#server/context.ts'
import { takeDaily } from '../access/access.daily.ts'
import { addCredit, takeCredit } from './credits.ledger.ts'

export async function rewardRegistration(ctx: Ctx, userId: number): Promise<void> {
  const amount = ctx.settings.score.register
  await addCredit(ctx, { userId, amount, reason: 'register', refId: userId, key: `register:${userId}` })
}

/** So many documents a day are rewarded. Call it in the transaction that makes them. */
export async function rewardUpload(ctx: Ctx, userId: number, documentIds: readonly number[]): Promise<void> {
  const { upload_document: amount, upload_document_limit: limit } = ctx.settings.score
  if (amount === 0) return
  for (const refId of documentIds) {
    if (!(await takeDaily(ctx, { kind: 'reward.upload', who: userId, limit }))) return
    await addCredit(ctx, { userId, amount, reason: 'upload', refId, key: `upload:${refId}` })
  }
}

export async function penaliseDeletion(ctx: Ctx, ownerId: number, documentId: number): Promise<void> {
  const amount = ctx.settings.score.delete_document
  await takeCredit(ctx, { userId: ownerId, amount, reason: 'delete', refId: documentId })
}
