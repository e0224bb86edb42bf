import { DocumentStatus } from '#shared/document-status.ts'
import { Punishment } from '#shared/enums.ts'
import { type AppError, errors } from '#shared/errors.ts'
import { creditName } from '#shared/credit-name.ts'
import type { Ctx, ViewerShare } from '#server/context.ts'
import type { Bit } from '#server/db/tables/column.ts'
import { assertNotPunished } from '#server/modules/access/access.policy.ts'
import type { DailyQuota } from '#server/modules/access/quotas.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { getVisible } from '#server/modules/documents/documents.get.ts'
import { findBought } from '#server/modules/documents/documents.paid.ts'
import { oversees, owns } from '#server/modules/documents/documents.policy.ts'
import { findShare } from '#server/modules/documents/visibility/visibility.policy.ts'
import { type ActiveCard, findActiveCard } from '#server/modules/users/vip-members.ts'
import { discountedPrice } from '#shared/prices.ts'
import { isFreeWith } from './free-with-card.ts'

/** The document that a download is of. Looked up before the transaction: the storage may be another machine. */
export interface DownloadTarget {
  id: number
  isOwn: boolean
  /** The file is in the storage. */
  isStored: boolean
  price: number
  ownerId: number
  /** The share link that alone opens it for this viewer. */
  share?: ViewerShare
}

export async function findTarget(ctx: Ctx, id: number): Promise<DownloadTarget> {
  const row = await ctx.db
    .selectFrom('document')
    .select(['id', 'user_id', 'hash', 'price', 'visibility'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return { id, isOwn: false, isStored: false, price: 0, ownerId: 0 }
  const stored = await ctx.storage.find(contentKey(row.hash))
  const { price, user_id: ownerId } = row
  const share = findShare(ctx.viewer, row)
  return { id, isOwn: owns(ctx.viewer, row), isStored: stored !== undefined, price, ownerId, share }
}

/**
 * Whether the viewer has downloaded it by a share link just now, on whichever page or device: while the address is good,
 * the download may be repeated without being counted. Visitors are known by their network address.
 */
export async function isRepeat({ db, viewer, origin, settings, now }: Ctx, target: DownloadTarget): Promise<boolean> {
  if (!target.share) return false
  const downloads = db
    .selectFrom('download')
    .select('id')
    .where('document_id', '=', target.id)
    .where('user_id', '=', viewer.id)
    .where('created_at', '>', now() - settings.download.url_duration * 1000)
  const own = viewer.id === 0 ? downloads.where('ip', '=', origin.ip) : downloads
  return (await own.limit(1).execute()).length > 0
}

/**
 * Checks everything that can prevent a download, in the order in which readers are told, and gives its price. `allows`
 * decides about the daily quotas: a download consumes them, a quote only looks at them.
 */
export async function assertCanDownload(
  ctx: Ctx,
  target: DownloadTarget,
  allows: (quota: DailyQuota) => Promise<boolean>,
) {
  const { viewer, settings } = ctx
  if (viewer.id === 0 && !settings.download.enable_guest_download) throw errors.access.loginNeeded()
  assertNotPunished(ctx, Punishment.Disabled, Punishment.NoDownload)
  const card = await findActiveCard(ctx)
  const isCounted = !target.isOwn && !(await isRepeat(ctx, target))
  if (isCounted) {
    const { perNetwork, perUser } = downloadQuotas(ctx, card)
    if (perNetwork && !(await allows(perNetwork))) throw errors.documents.timesPerAddress(perNetwork.limit)
    if (perUser && !(await allows(perUser))) throw errors.documents.timesPerDay(perUser.limit)
  }
  const document = await getVisible(ctx, target)
  if (document.status === DocumentStatus.Disabled) throw errors.documents.notDownloadable()
  assertDownloadable(ctx, document)
  if (isCounted && target.share?.downloads_left === 0) throw errors.shares.usedUp()
  if (document.price > 0 && viewer.id === 0) throw errors.documents.guestPays()
  if (!target.isStored) throw errors.documents.fileMissing()
  return { document, isCounted, offer: await findOffer(ctx, document, card) }
}

/** Some can only be read online; their owner and the staff take them all the same. */
export function assertDownloadable(
  { viewer }: Pick<Ctx, 'viewer'>,
  document: { user_id: number; downloadable: Bit },
): void {
  if (document.downloadable === 0 && !oversees(viewer, document)) throw errors.documents.previewOnly()
}

interface PricedDocument {
  id: number
  user_id: number
  price: number
  is_vip: Bit
}

/** What a document costs a viewer. */
export interface Offer {
  cost: number
  /** It is one of the card's free documents; `otherwise` is the cost when the last of them is gone. */
  freeWith?: { card: ActiveCard; otherwise: number }
}

/** What the document costs this viewer now. */
export async function findCost(ctx: Ctx, document: PricedDocument): Promise<number> {
  return (await findOffer(ctx, document, await findActiveCard(ctx))).cost
}

export async function findOffer(ctx: Ctx, document: PricedDocument, card: ActiveCard | undefined): Promise<Offer> {
  const isFree =
    owns(ctx.viewer, document) ||
    document.price === 0 ||
    (await hasBought(ctx, { userId: ctx.viewer.id, documentId: document.id }))
  if (isFree) return { cost: 0 }
  if (!card) return { cost: document.price }
  const reduced = discountedPrice(document.price, card.discount)
  if (reduced === 0 || document.is_vip === 0 || !(await isFreeWith(ctx, card, document.id))) return { cost: reduced }
  return { cost: 0, freeWith: { card, otherwise: reduced } }
}

/** A card brings a limit of its own in place of the others; 0 is none. */
export function downloadQuotas({ viewer, origin, settings }: Ctx, card: ActiveCard | undefined): DownloadQuotas {
  const { times_every_ip, times_every_day } = settings.download
  if (card) return card.times === 0 ? {} : { perUser: perUserQuota(viewer.id, card.times) }
  return {
    perNetwork: { quota: 'download.network', subject: origin.network, limit: times_every_ip },
    ...(viewer.id > 0 && { perUser: perUserQuota(viewer.id, times_every_day) }),
  }
}

interface DownloadQuotas {
  perNetwork?: DailyQuota
  perUser?: DailyQuota
}

function perUserQuota(subject: number, limit: number): DailyQuota {
  return { quota: 'download.user', subject, limit }
}

/** A paid document stays free for so many days; 0 means for ever. */
export async function hasBought(
  ctx: Ctx,
  { userId, documentId }: { userId: number; documentId: number },
): Promise<boolean> {
  return userId !== 0 && (await findBought(ctx, { userId, documentIds: [documentId] })).has(documentId)
}

export async function findBalance({ db, viewer }: Ctx): Promise<number> {
  const row = await db.selectFrom('user').select('credit_count').where('id', '=', viewer.id).executeTakeFirst()
  return row?.credit_count ?? 0
}

export function insufficientCredit({ settings }: Ctx, price: number, balance: number): AppError {
  const name = creditName(settings)
  return errors.documents.creditShort(`需要 ${price} ${name}，您有 ${balance} ${name}`)
}
