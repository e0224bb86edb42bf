import { creditName } from '#shared/credit-name.ts'
import type { orders } from '#shared/contract/orders.ts'
import type { Reply } from '#shared/endpoint.ts'
import { PaymentMethod, Punishment } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { assertNotPunished } from '#server/modules/access/access.policy.ts'
import { consumeQuota, quotaUsed } from '#server/modules/access/quotas.ts'
import { giveCredits } from './give-credits.ts'

/** An advertisement that was not watched by then has to be begun anew. */
const ticketMs = 30 * 60_000

/**
 * How often the member may still earn credits today, and never an order paid by watching: a document has its author's price,
 * of which an advertisement brings nothing. What is earned pays for it. Also begins the watching: the ticket for it is made here.
 */
export async function listOpportunities(ctx: MemberCtx): Promise<Reply<typeof orders.opportunities>> {
  const { enable_advertisement: isOn, advertisement_credits: credit_count, ...pay } = ctx.settings.pay
  const left = isOn ? Math.max(0, pay.advertisement_times_every_day - (await quotaUsed(ctx, quotaOf(ctx)))) : 0
  if (left > 0) await makeTicket(ctx)
  return { enable: isOn, download_times: 0, credit_times: left, credit_count, seconds: pay.advertisement_seconds }
}

/** Credits for an advertisement that was watched: for each ticket once, and not before it was long enough. */
export function rewardWatching(ctx: MemberCtx): Promise<Reply<typeof orders.watched>> {
  assertNotPunished(ctx, Punishment.Disabled)
  const { pay } = ctx.settings
  if (!pay.enable_advertisement) throw errors.orders.methodDenied()
  return transaction(ctx, async (ctx) => {
    await useTicket(ctx)
    if (!(await consumeQuota(ctx, quotaOf(ctx)))) throw errors.orders.watchedEnough()
    const credits = pay.advertisement_credits
    const name = `看广告得 ${credits} ${creditName(ctx.settings)}`
    const method = PaymentMethod.Advertisement
    const { order_no } = await giveCredits(ctx, ctx.viewer.id, { credits, method, name })
    return { order_no, credits }
  })
}

function quotaOf({ viewer, settings }: MemberCtx) {
  return { quota: 'advertisement', subject: viewer.id, limit: settings.pay.advertisement_times_every_day }
}

/** One for each member; asking again while it is good does not begin the time anew. */
async function makeTicket({ db, viewer, now }: MemberCtx): Promise<void> {
  await db
    .insertInto('reward_ticket')
    .values({ user_id: viewer.id, created_at: now() })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ created_at: now() })
        .where('reward_ticket.created_at', '<=', now() - ticketMs),
    )
    .execute()
}

async function useTicket({ db, viewer, settings, now }: MemberCtx): Promise<void> {
  const ticket = await db
    .deleteFrom('reward_ticket')
    .where('user_id', '=', viewer.id)
    .returning('created_at')
    .executeTakeFirst()
  if (!ticket || ticket.created_at <= now() - ticketMs) throw errors.orders.notWatched()
  const left = ticket.created_at + settings.pay.advertisement_seconds * 1000 - now()
  // The transaction is rolled back: the ticket stays.
  if (left > 0) throw errors.orders.watchedTooShort(Math.ceil(left / 1000))
}
