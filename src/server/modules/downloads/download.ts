import type { downloads } from '#shared/contract/downloads.ts'
import { documentStatusLabels, reviewableStatuses } from '#shared/document-status.ts'
import type { Input } from '#shared/endpoint.ts'
import { ActivityType, Punishment, replacementStatusLabels } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { creditName } from '#shared/credit-name.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { bit } from '#server/db/tables/column.ts'
import { assertNotPunished } from '#server/modules/access/access.policy.ts'
import { consumeQuota } from '#server/modules/access/quotas.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { lockBalances } from '#server/modules/credits/credits.ledger.ts'
import { countOnDay } from '#server/modules/stats/document-days.ts'
import { recordActivity } from '#server/modules/users/activity.ts'
import { getVisible } from '#server/modules/documents/documents.get.ts'
import { isWaiting } from '#server/modules/documents/replacing/replacements.queries.ts'
import { takeSharedDownload } from '#server/modules/documents/visibility/shares.ts'
import { findActiveCard } from '#server/modules/users/vip-members.ts'
import {
  assertCanDownload,
  type DownloadTarget,
  findBalance,
  findOffer,
  findTarget,
  insufficientCredit,
  type Offer,
} from './eligibility.ts'
import { takeFree } from './free-with-card.ts'
import { createDownloadLink } from './link.ts'

/** Buys a document for the viewer with credits, in the caller's transaction; false if there are too few. */
export type BuyDocument = (
  ctx: Ctx,
  document: { id: number; user_id: number; title: string; price: number },
  cost: number,
) => Promise<boolean>

/**
 * Checks, quotas, payment and record in one transaction: a refusal at any point rolls everything back. Downloads of one's
 * own documents are free, unlimited and not counted, so that no owner can make a document look popular; repeats by a share
 * link are not counted either.
 */
export async function downloadDocument(
  ctx: Ctx,
  { id, cost: agreedCost }: Input<typeof downloads.download>,
  buy: BuyDocument,
): Promise<{ url: string }> {
  const target = await findTarget(ctx, id)
  return transaction(ctx, async (ctx) => {
    // First, because a deletion locks the document before its owner's balance, and deadlocks need two orders.
    if (!target.isOwn) await lockRows(ctx, 'document', [id])
    // Then the balances, before anything that one's cards or purchases decide: two downloads at once buy it once.
    if (target.price > 0 && ctx.viewer.id !== 0) await lockBalances(ctx, [ctx.viewer.id, target.ownerId])
    const { document, isCounted, offer } = await assertCanDownload(ctx, target, (quota) => consumeQuota(ctx, quota))
    if (isCounted) await countDownload(ctx, target)
    const { cost, cardId } = await accept(ctx, offer, id)
    if (cost > (agreedCost ?? cost)) throw errors.documents.priceChanged(`${cost} ${creditName(ctx.settings)}`)
    if (cost > 0 && !(await buy(ctx, document, cost))) throw insufficientCredit(ctx, cost, await findBalance(ctx))
    if (isCounted) await recordDownload(ctx, document, { cost, cardId })
    return createLink(ctx, document, { review: false, shareId: target.share?.id ?? 0 })
  })
}

/** For members with a card: free, or not at all. */
export async function downloadWithCard(
  ctx: MemberCtx,
  { id }: Input<typeof downloads.downloadVip>,
  buy: BuyDocument,
): Promise<{ url: string }> {
  const document = await getVisible(ctx, { id })
  if (document.is_vip === 0) throw errors.vip.notMarked()
  const card = await findActiveCard(ctx)
  const { cost } = await findOffer(ctx, document, card)
  if (cost > 0) throw card ? errors.vip.usedUp() : errors.vip.cardNeeded()
  return downloadDocument(ctx, { id, cost: 0 }, buy)
}

/** What is paid in the end: of the card's free documents, another download may have taken the last. */
async function accept(
  ctx: Ctx,
  { cost, freeWith }: Offer,
  documentId: number,
): Promise<{ cost: number; cardId: number }> {
  if (!freeWith) return { cost, cardId: 0 }
  const isTaken = await takeFree(ctx, freeWith.card, documentId)
  return isTaken ? { cost: 0, cardId: freeWith.card.id } : { cost: freeWith.otherwise, cardId: 0 }
}

/** For reviewers: free, not counted, and only while there is something to review. */
export async function downloadForReview(
  ctx: Ctx,
  { id }: Input<typeof downloads.downloadForReview>,
): Promise<{ url: string }> {
  assertNotPunished(ctx, Punishment.Disabled, Punishment.NoDownload)
  const document = await ctx.db
    .selectFrom('document')
    .select(['id', 'user_id', 'hash', 'status'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!document) throw errors.documents.notFound()
  if (!reviewableStatuses.includes(document.status))
    throw errors.documents.statusDenied({ status: documentStatusLabels[document.status] })
  if (!(await ctx.storage.find(contentKey(document.hash)))) throw errors.documents.fileMissing()
  return createLink(ctx, document, { review: true, shareId: 0 })
}

/** For reviewers: the file that is to take the place of a document's, until it does. */
export async function downloadReplacement(
  ctx: Ctx,
  { id }: Input<typeof downloads.downloadReplacement>,
): Promise<{ url: string }> {
  assertNotPunished(ctx, Punishment.Disabled, Punishment.NoDownload)
  const waiting = await ctx.db
    .selectFrom('document_replacement')
    .innerJoin('document', 'document.id', 'document_replacement.document_id')
    .select(['document.id', 'document.user_id', 'document_replacement.hash', 'document_replacement.status'])
    .where('document_replacement.id', '=', id)
    .where('document.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!waiting) throw errors.documents.replacementUnknown()
  if (!isWaiting(waiting)) throw errors.documents.replacementOver(replacementStatusLabels[waiting.status])
  if (!(await ctx.storage.find(contentKey(waiting.hash)))) throw errors.documents.fileMissing()
  return createLink(ctx, waiting, { review: true, shareId: 0 })
}

async function countDownload(ctx: Ctx, { id, share }: DownloadTarget): Promise<void> {
  const { db, now } = ctx
  if (share) await takeSharedDownload(ctx, share.id)
  await db
    .updateTable('document')
    .set((eb) => ({ download_count: eb('download_count', '+', 1) }))
    .where('id', '=', id)
    .execute()
  await countOnDay(db, { documentId: id, counter: 'downloads', at: now() })
}

async function recordDownload(
  ctx: Ctx,
  { id, title, uuid }: { id: number; title: string; uuid: string },
  { cost: price, cardId }: { cost: number; cardId: number },
): Promise<void> {
  const { db, viewer, origin, now } = ctx
  const document = { subject: title, href: `/document/${uuid}` }
  await recordActivity(ctx, { userId: viewer.id, type: ActivityType.Download, ...document, amount: -price })
  await db
    .insertInto('download')
    .values({
      user_id: viewer.id,
      document_id: id,
      ip: origin.ip,
      is_pay: bit(price > 0),
      price,
      user_vip_id: cardId,
      created_at: now(),
      updated_at: now(),
    })
    .execute()
}

async function createLink(
  ctx: Ctx,
  { id, hash }: { id: number; hash: string },
  options: { review: boolean; shareId: number },
): Promise<{ url: string }> {
  return { url: await createDownloadLink(ctx, { documentId: id, userId: ctx.viewer.id, hash, ...options }) }
}
