import type { downloads } from '#shared/contract/downloads.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { discountedPrice } from '#shared/prices.ts'
import type { Ctx } from '#server/context.ts'
import { type DailyQuota, quotaUsed } from '#server/modules/access/quotas.ts'
import { getVisible } from '#server/modules/documents/documents.get.ts'
import { type ActiveCard, findActiveCard } from '#server/modules/vip/active-card.ts'
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
} from './eligibility.ts'
import { countLeftOn } from './free-with-card.ts'

/** What a download would cost this viewer now, and what prevents it. Nothing is consumed. */
export async function getTerms(
  ctx: Ctx,
  { id }: Input<typeof downloads.terms>,
): Promise<Reply<typeof downloads.terms>> {
  const document = await getVisible(ctx, { id })
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
    left: target.isOwn ? -1 : await countLeftToday(ctx, card),
    refusal: refusal?.message ?? '',
    reason: refusal?.reason ?? '',
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

/** What it would cost with the best card that the site sells. */
function findBestPrice({ settings: { vip } }: Ctx, { price, is_vip }: { price: number; is_vip: number }): number {
  if (!vip.enable) return price
  if (is_vip === 1) return 0
  return Math.min(
    ...Object.values(vipCards).map(({ name }) => discountedPrice(price, vip[`${name}_document_discount`])),
  )
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
