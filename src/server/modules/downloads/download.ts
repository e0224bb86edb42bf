import type { downloads } from '#shared/contract/downloads.ts'
import { documentStatusLabels, reviewableStatuses } from '#shared/document-status.ts'
import type { Input } from '#shared/endpoint.ts'
import { ActivityType, Punishment } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { creditName } from '#shared/credit-name.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { bit } from '#server/db/tables/column.ts'
import { assertNotPunished } from '#server/modules/access/access.policy.ts'
import { consumeQuota } from '#server/modules/access/quotas.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { recordActivity } from '#server/modules/users/activity.ts'
import { assertCanDownload, findBalance, findTarget, insufficientCredit } from './eligibility.ts'
import { createDownloadLink } from './link.ts'

/** Buys a document for the viewer with credits, in the caller's transaction; false if there are too few. */
export type BuyDocument = (
  ctx: Ctx,
  document: { id: number; user_id: number; title: string; price: number },
  cost: number,
) => Promise<boolean>

/**
 * Checks, quotas, payment and record in one transaction: a refusal at any point rolls everything back. Downloads of one's
 * own documents are free, unlimited and not counted, so that no owner can make a document look popular.
 */
export async function downloadDocument(
  ctx: Ctx,
  { id, cost: agreedCost }: Input<typeof downloads.download>,
  buy: BuyDocument,
): Promise<{ url: string }> {
  const target = await findTarget(ctx, id)
  return transaction(ctx, async (ctx) => {
    // First, because a deletion locks the document before its owner's balance, and deadlocks need two orders.
    if (!target.isOwn) await countDownload(ctx, id)
    const { document, cost } = await assertCanDownload(ctx, target, (quota) => consumeQuota(ctx, quota))
    if (cost > (agreedCost ?? cost)) throw errors.documents.priceChanged(`${cost} ${creditName(ctx.settings)}`)
    if (cost > 0 && !(await buy(ctx, document, cost))) throw insufficientCredit(ctx, cost, await findBalance(ctx))
    if (!target.isOwn) await recordDownload(ctx, document, cost)
    return createLink(ctx, document, { review: false })
  })
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
    throw errors.documents.statusDenied(documentStatusLabels[document.status])
  if (!(await ctx.storage.find(contentKey(document.hash)))) throw errors.documents.fileMissing()
  return createLink(ctx, document, { review: true })
}

async function countDownload({ db }: Ctx, id: number): Promise<void> {
  await db
    .updateTable('document')
    .set((eb) => ({ download_count: eb('download_count', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

async function recordDownload(
  ctx: Ctx,
  { id, title, uuid }: { id: number; title: string; uuid: string },
  price: number,
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
      created_at: now(),
      updated_at: now(),
    })
    .execute()
}

async function createLink(
  ctx: Ctx,
  { id, hash }: { id: number; hash: string },
  { review }: { review: boolean },
): Promise<{ url: string }> {
  return { url: await createDownloadLink(ctx, { documentId: id, userId: ctx.viewer.id, hash, review }) }
}
