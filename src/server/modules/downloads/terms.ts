import type { downloads } from '#shared/contract/downloads.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { AppError } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { type DailyQuota, quotaUsed } from '#server/modules/access/quotas.ts'
import { getVisible } from '#server/modules/documents/documents.get.ts'
import {
  assertCanDownload,
  downloadQuotas,
  type DownloadTarget,
  findBalance,
  findCost,
  findTarget,
  hasBought,
  insufficientCredit,
} from './eligibility.ts'

/** What a download would cost this viewer now, and what prevents it. Nothing is consumed. */
export async function getTerms(
  ctx: Ctx,
  { id }: Input<typeof downloads.terms>,
): Promise<Reply<typeof downloads.terms>> {
  const document = await getVisible(ctx, { id })
  const target = await findTarget(ctx, id)
  const bought = await hasBought(ctx, id)
  const balance = await findBalance(ctx)
  const refusal = await findRefusal(ctx, target, balance)
  return {
    price: document.price,
    cost: await findCost(ctx, document),
    balance,
    owned: target.isOwn,
    bought,
    left: target.isOwn ? -1 : await countLeftToday(ctx),
    refusal: refusal?.message ?? '',
    reason: refusal?.reason ?? '',
  }
}

async function findRefusal(ctx: Ctx, target: DownloadTarget, balance: number): Promise<AppError | undefined> {
  try {
    const { cost } = await assertCanDownload(ctx, target, async (quota) => (await countLeft(ctx, quota)) > 0)
    return cost > balance ? insufficientCredit(ctx, cost, balance) : undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

async function countLeftToday(ctx: Ctx): Promise<number> {
  const { perNetwork, perUser } = downloadQuotas(ctx)
  const left = await countLeft(ctx, perNetwork)
  return perUser ? Math.min(left, await countLeft(ctx, perUser)) : left
}

async function countLeft(ctx: Ctx, quota: DailyQuota): Promise<number> {
  return Math.max(0, quota.limit - (await quotaUsed(ctx, quota)))
}
