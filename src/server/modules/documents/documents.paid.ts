import { discountedPrice } from '#shared/prices.ts'
import type { Ctx } from '#server/context.ts'
import { type ActiveCard, findActiveCard } from '../users/vip-members.ts'
import { oversees } from './documents.policy.ts'

const dayMs = 86_400_000

interface SoldDocument {
  id: number
  user_id: number
  price: number
  is_vip: number
}

/**
 * Documents with whether this viewer has paid to read them to the end: by buying them, or with a VIP card that makes them
 * free (reading takes none of the card's number: see docs/decisions/0029). Two queries at most, and none for visitors.
 */
export async function withPayment<D extends SoldDocument>(
  ctx: Ctx,
  documents: readonly D[],
): Promise<(D & { isPaidFor: boolean })[]> {
  const paid = await findPaid(ctx, documents)
  return documents.map((document) => ({ ...document, isPaidFor: paid.has(document.id) }))
}

export async function isPaidFor(ctx: Ctx, document: SoldDocument): Promise<boolean> {
  return (await findPaid(ctx, [document])).has(document.id)
}

async function findPaid(ctx: Ctx, documents: readonly SoldDocument[]): Promise<ReadonlySet<number>> {
  const { viewer, settings } = ctx
  if (viewer.id === 0 || !settings.download.enable_paid_reading) return new Set()
  const others = documents.filter((document) => !oversees(viewer, document))
  const documentIds = others.filter(({ price }) => price > 0).map(({ id }) => id)
  const sold = others.filter(({ price, is_vip }) => price > 0 || is_vip === 1)
  const [bought, card] = await Promise.all([
    documentIds.length > 0 ? findBought(ctx, { userId: viewer.id, documentIds }) : new Set<number>(),
    sold.length > 0 ? findActiveCard(ctx) : undefined,
  ])
  return card ? new Set([...bought, ...sold.filter((each) => isCovered(each, card)).map(({ id }) => id)]) : bought
}

/** VIP documents, and what costs nothing with this card. */
function isCovered({ price, is_vip }: SoldDocument, { discount }: ActiveCard): boolean {
  return is_vip === 1 || (price > 0 && discountedPrice(price, discount) === 0)
}

/** The ones among these documents that this member has paid for: for as many days as the site says, or for ever. */
export async function findBought(
  { db, settings, now }: Ctx,
  { userId, documentIds }: { userId: number; documentIds: readonly number[] },
): Promise<Set<number>> {
  const days = settings.download.free_download_duration
  const since = days === 0 ? -1 : now() - days * dayMs
  const granted = await db
    .selectFrom('document_grant')
    .select('document_id')
    .where('user_id', '=', userId)
    .where('document_id', 'in', documentIds)
    .where('revoked_at', 'is', null)
    .where('created_at', '>', since)
    .execute()
  const bought = new Set(granted.map(({ document_id }) => document_id))
  const others = documentIds.filter((id) => !bought.has(id))
  if (others.length === 0) return bought
  // Bought before there were orders.
  const downloaded = await db
    .selectFrom('download')
    .select('document_id')
    .distinct()
    .where('user_id', '=', userId)
    .where('document_id', 'in', others)
    .where('is_pay', '=', 1)
    .where('created_at', '>', since)
    .execute()
  for (const { document_id } of downloaded) bought.add(document_id)
  return bought
}
