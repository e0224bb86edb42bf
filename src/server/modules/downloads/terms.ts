import type { downloads } from '#shared/contract/downloads.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { discountedPrice } from '#shared/prices.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import { type DailyQuota, quotaUsed } from '#server/modules/access/quotas.ts'
import { hasCheckedIn } from '#server/modules/credits/check-in.ts'
import { uploadRewardQuota } from '#server/modules/credits/credits.rewards.ts'
import { getReadable } from '#server/modules/documents/documents.get.ts'
import { findBought } from '#server/modules/documents/documents.paid.ts'
import { type ReadDocument, readsEveryPage, sellsRest } from '#server/modules/documents/documents.policy.ts'
import type { DocumentRow } from '#server/modules/documents/documents.queries.ts'
import { type ActiveCard, findActiveCard } from '#server/modules/users/vip-members.ts'
import { vipCards } from '#server/modules/vip/cards.ts'
import {
  assertCanDownload,
  downloadQuotas,
  type DownloadTarget,
  findBalance,
  findOffer,
  findTarget,
  hasBought,
  insufficientCredit,
  isRepeat,
} from './eligibility.ts'
import { countLeftOn } from './free-with-card.ts'

type Terms = Reply<typeof downloads.terms>

/** What a download would cost this viewer now, and what prevents it. Nothing is consumed. */
export async function getTerms(
  ctx: Ctx,
  { id }: Input<typeof downloads.terms>,
): Promise<Reply<typeof downloads.terms>> {
  const document = await getReadable(ctx, { id })
  const target = await findTarget(ctx, id)
  const bought = await hasBought(ctx, { userId: ctx.viewer.id, documentId: id })
  const balance = await findBalance(ctx)
  const refusal = await findRefusal(ctx, target, balance)
  const card = await findActiveCard(ctx)
  const { cost } = await findOffer(ctx, document, card)
  return {
    price: document.price,
    cost,
    is_vip: ctx.settings.vip.enable && document.is_vip === 1,
    vip_price: card ? cost : findBestPrice(ctx, document),
    has_card: card !== undefined,
    vip_left: card ? countLeftOn(card) : 0,
    balance,
    owned: target.isOwn,
    bought,
    ...describeReading(ctx, document),
    left: target.isOwn ? -1 : await countLeftToday(ctx, card),
    share_left: target.share?.downloads_left ?? -1,
    is_repeat: await isRepeat(ctx, target),
    url_seconds: ctx.settings.download.url_duration,
    refusal: refusal?.message ?? '',
    reason: refusal?.reason ?? '',
    ...(await findRewards(ctx)),
  }
}

/** Whether everything can be read online, now or once it is paid for. */
function describeReading(
  ctx: Ctx,
  document: ReadDocument & Pick<DocumentRow, 'pages' | 'price'>,
): Pick<Terms, 'reads_all' | 'opens_rest'> {
  const { pages } = document
  return { reads_all: pages > 0 && readsEveryPage(ctx, document, pages), opens_rest: sellsRest(ctx, document) }
}

/** Which of the documents that the member names they have bought. */
export async function listBought(
  ctx: MemberCtx,
  { uuid }: Input<typeof downloads.bought>,
): Promise<Reply<typeof downloads.bought>> {
  const rows = await ctx.db.selectFrom('document').select(['id', 'uuid']).where('uuid', 'in', uuid).execute()
  if (rows.length === 0) return { uuid: [] }
  const bought = await findBought(ctx, { userId: ctx.viewer.id, documentIds: rows.map(({ id }) => id) })
  return { uuid: rows.filter(({ id }) => bought.has(id)).map((row) => row.uuid) }
}

/** What the viewer can still earn today. */
async function findRewards(ctx: Ctx): Promise<Pick<Terms, 'check_in_reward' | 'upload_reward'>> {
  const { viewer, settings } = ctx
  if (viewer.id === 0) return { check_in_reward: 0, upload_reward: 0 }
  const { sign_in, upload_document } = settings.score
  const canUpload = viewer.groups.some(({ enable_upload }) => enable_upload)
  return {
    check_in_reward: sign_in > 0 && !(await hasCheckedIn(ctx, viewer.id)) ? sign_in : 0,
    upload_reward:
      upload_document > 0 && canUpload && (await countLeft(ctx, uploadRewardQuota(ctx, viewer.id))) > 0
        ? upload_document
        : 0,
  }
}

async function findRefusal(ctx: Ctx, target: DownloadTarget, balance: number): Promise<AppError | undefined> {
  try {
    const {
      offer: { cost },
    } = await assertCanDownload(ctx, target, async (quota) => (await countLeft(ctx, quota)) > 0)
    return cost > balance ? insufficientCredit(ctx, cost, balance) : undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** What it would cost with the best card that the site sells; as much as without where it sells none. */
function findBestPrice({ settings: { vip } }: Ctx, { price, is_vip }: { price: number; is_vip: number }): number {
  const sold = vip.enable ? Object.values(vipCards).filter(({ name }) => vip[`${name}_price`] > 0) : []
  if (sold.length > 0 && is_vip === 1) return 0
  return Math.min(price, ...sold.map(({ name }) => discountedPrice(price, vip[`${name}_document_discount`])))
}

/** -1 for any number. */
async function countLeftToday(ctx: Ctx, card: ActiveCard | undefined): Promise<number> {
  const quotas = Object.values(downloadQuotas(ctx, card))
  const left = await Promise.all(quotas.map((quota) => countLeft(ctx, quota)))
  return left.length > 0 ? Math.min(...left) : -1
}

async function countLeft(ctx: Ctx, quota: DailyQuota): Promise<number> {
  return Math.max(0, quota.limit - (await quotaUsed(ctx, quota)))
}
