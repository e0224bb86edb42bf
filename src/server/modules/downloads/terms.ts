import type { documents } from '#shared/contract/documents.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { AppError, errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { type DailyUse, usedToday } from '#server/modules/access/quotas.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { getVisible } from '#server/modules/documents/documents.get.ts'
import { owns } from '#server/modules/documents/documents.policy.ts'
import { refusePunished } from '#server/modules/access/access.policy.ts'

const dayMs = 86_400_000

/** What a download would be of. Found before the transaction: the storage may be another machine. */
interface Asked {
  id: number
  owned: boolean
  /** The file is in the storage. */
  present: boolean
}

export async function findAsked(ctx: Ctx, id: number): Promise<Asked> {
  const row = await ctx.db.selectFrom('document').select(['user_id', 'hash']).where('id', '=', id).executeTakeFirst()
  if (!row) return { id, owned: false, present: false }
  const stored = await ctx.storage.find(contentKey(row.hash))
  return { id, owned: owns(ctx.viewer, row), present: stored !== undefined }
}

/**
 * Everything that may stand against a download, in the order in which it is said, and what it costs if nothing does.
 * `allows` decides about the daily limits: a download takes from them, a look at the terms does not.
 */
export async function checkDownload(ctx: Ctx, asked: Asked, allows: (use: DailyUse) => Promise<boolean>) {
  const { viewer, settings } = ctx
  if (viewer.id === 0 && !settings.download.enable_guest_download) throw errors.access.loginNeeded()
  refusePunished(ctx, 1, 4)
  if (!asked.owned) {
    const { network, user } = limitsOf(ctx)
    if (!(await allows(network))) throw errors.documents.timesPerAddress(network.limit)
    if (user && !(await allows(user))) throw errors.documents.timesPerDay(user.limit)
  }
  const document = await getVisible(ctx, asked)
  if (document.status === 4) throw errors.documents.notDownloadable()
  if (document.price > 0 && viewer.id === 0) throw errors.documents.guestPays()
  if (!asked.present) throw errors.documents.fileMissing()
  const free = asked.owned || document.price === 0 || (await hasBought(ctx, document.id))
  return { document, cost: free ? 0 : document.price }
}

/** What a download would cost this viewer, and whether anything stands against it. Nothing changes. */
export async function termsOf(ctx: Ctx, { id }: Input<typeof documents.terms>): Promise<Reply<typeof documents.terms>> {
  const { price } = await getVisible(ctx, { id })
  const asked = await findAsked(ctx, id)
  const bought = await hasBought(ctx, id)
  const balance = await balanceOf(ctx)
  const cost = asked.owned || bought ? 0 : price
  const left = asked.owned ? -1 : await leftToday(ctx)
  const refused = await refusalOf(ctx, asked, balance)
  return {
    price,
    cost,
    balance,
    owned: asked.owned,
    bought,
    left,
    refusal: refused?.message ?? '',
    reason: refused?.reason ?? '',
  }
}

export function creditShort({ settings }: Ctx, price: number, balance: number): AppError {
  const name = settings.score.credit_name
  return errors.documents.creditShort(`需要 ${price} ${name}，您有 ${balance} ${name}`)
}

export async function balanceOf({ db, viewer }: Ctx): Promise<number> {
  const row = await db.selectFrom('user').select('credit_count').where('id', '=', viewer.id).executeTakeFirst()
  return row?.credit_count ?? 0
}

async function refusalOf(ctx: Ctx, asked: Asked, balance: number): Promise<AppError | undefined> {
  try {
    const { cost } = await checkDownload(ctx, asked, async (use) => (await leftOf(ctx, use)) > 0)
    return cost > balance ? creditShort(ctx, cost, balance) : undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** Who has paid need not pay again for so many days; 0 days mean for ever. */
async function hasBought({ db, viewer, settings, now }: Ctx, documentId: number): Promise<boolean> {
  if (viewer.id === 0) return false
  const days = settings.download.free_download_duration
  const row = await db
    .selectFrom('download')
    .select('id')
    .where('user_id', '=', viewer.id)
    .where('document_id', '=', documentId)
    .where('is_pay', '=', 1)
    .where('created_at', '>', days === 0 ? -1 : now() - days * dayMs)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function limitsOf({ viewer, origin, settings }: Ctx): { network: DailyUse; user: DailyUse | undefined } {
  const { times_every_ip, times_every_day } = settings.download
  return {
    network: { kind: 'download.network', who: origin.network, limit: times_every_ip },
    user: viewer.id === 0 ? undefined : { kind: 'download.user', who: viewer.id, limit: times_every_day },
  }
}

async function leftToday(ctx: Ctx): Promise<number> {
  const { network, user } = limitsOf(ctx)
  const left = await leftOf(ctx, network)
  return user ? Math.min(left, await leftOf(ctx, user)) : left
}

async function leftOf(ctx: Ctx, { kind, who, limit }: DailyUse): Promise<number> {
  return Math.max(0, limit - (await usedToday(ctx, kind, who)))
}
