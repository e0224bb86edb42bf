import type { documents } from '#shared/contract/documents.ts'
import { type DocumentStatus, documentStatusLabels } from '#shared/document-status.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { bit } from '#server/db/tables/column.ts'
import { takeDaily } from '#server/modules/access/quotas.ts'
import { refusePunished } from '#server/modules/access/access.policy.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { transferCredit } from '#server/modules/credits/credits.ledger.ts'
import { recordDynamic } from '#server/modules/users/activity.ts'
import { balanceOf, checkDownload, creditShort, findAsked } from './terms.ts'
import { downloadLink } from './link.ts'

interface Wanted {
  id: number
  user_id: number
  hash: string
}

interface Titled {
  id: number
  title: string
  uuid: string
}

/**
 * Checks, limits, payment and record in one transaction: a refusal at any point gives everything back. Owners take their
 * own files as often as they like, and are not counted: nobody makes a document popular by downloading it oneself.
 */
export async function downloadDocument(
  ctx: Ctx,
  { id, cost: agreed }: Input<typeof documents.download>,
): Promise<{ url: string }> {
  const asked = await findAsked(ctx, id)
  return transaction(ctx, async (ctx) => {
    // First of all, because who deletes a document holds it before its owner's credit, and so must we.
    if (!asked.owned) await countDownload(ctx, id)
    const { document, cost } = await checkDownload(ctx, asked, (use) => takeDaily(ctx, use))
    if (cost > (agreed ?? cost)) throw errors.documents.priceChanged(`${cost} ${ctx.settings.score.credit_name}`)
    if (cost > 0) await pay(ctx, document, cost)
    if (!asked.owned) await record(ctx, document, cost)
    return linkTo(ctx, document, { review: false })
  })
}

/** For who judges documents: free, uncounted, and only while there is something to judge. */
export async function downloadForReview(
  ctx: Ctx,
  { id }: Input<typeof documents.downloadForReview>,
): Promise<{ url: string }> {
  refusePunished(ctx, 1, 4)
  const document = await ctx.db
    .selectFrom('document')
    .select(['id', 'user_id', 'hash', 'status'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!document) throw errors.documents.notFound()
  if (![4, 6, 7].includes(document.status))
    throw errors.documents.statusDenied(documentStatusLabels[document.status as DocumentStatus])
  if (!(await ctx.storage.find(contentKey(document.hash)))) throw errors.documents.fileMissing()
  return linkTo(ctx, document, { review: true })
}

async function countDownload({ db }: Ctx, id: number): Promise<void> {
  await db
    .updateTable('document')
    .set((eb) => ({ download_count: eb('download_count', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

async function pay(ctx: Ctx, { id, user_id }: Wanted, amount: number): Promise<void> {
  const paid = await transferCredit(ctx, { from: ctx.viewer.id, to: user_id, amount, reason: 'download', refId: id })
  if (!paid) throw creditShort(ctx, amount, await balanceOf(ctx))
}

async function record(ctx: Ctx, { id, title, uuid }: Titled, price: number): Promise<void> {
  const { db, viewer, origin, now } = ctx
  const about = { subject: title, href: `/document/${uuid}` }
  await recordDynamic(ctx, { userId: viewer.id, type: 4, ...about, amount: -price })
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

async function linkTo(ctx: Ctx, { id, hash }: Wanted, { review }: { review: boolean }): Promise<{ url: string }> {
  return { url: await downloadLink(ctx, { documentId: id, userId: ctx.viewer.id, hash, review }) }
}
