import type { vip } from '#shared/contract/vip.ts'
import type { Input } from '#shared/endpoint.ts'
import { type VipCard, vipCardLabels } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { defaultSettings } from '#shared/settings.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { assertNoOwnGain } from '#server/modules/access/access.policy.ts'
import { findUser } from '#server/modules/users/users.queries.ts'
import { recordOutlay, withCeiling } from '#server/modules/outlays/outlays.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { endCard, grantCard, vipCards } from './cards.ts'
import { getActiveCard, listCards, listOwnCards } from './vip.list.ts'

export const vipRoutes: Handlers<typeof vip> = {
  own: listOwnCards,
  active: getActiveCard,
  list: listCards,
  grant: emptyReply(withCeiling(grantByHand)),
  end: emptyReply(endByHand),
}

function grantByHand(ctx: MemberCtx, { user_id, type, reason }: Input<typeof vip.grant>): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const user = await findUser(ctx.db, user_id)
    if (!user) throw errors.users.notFound()
    await assertNoOwnGain(ctx, [user_id])
    await lockRows(ctx, 'user', [user_id])
    await recordOutlay(ctx, {
      act: 'grantCard',
      fen: worthOf(ctx, type),
      title: `为 ${user.username} 开通 VIP ${vipCardLabels[type]}：${reason}`,
    })
    await grantCard(ctx, { userId: user_id, card: type, reason })
    ctx.audit?.({ ids: [user_id], change: `${user.username}，${vipCardLabels[type]}：${reason}` })
  })
}

/** The worth of a card in fen; one that is not sold is worth what it costs on a new site. */
function worthOf({ settings }: MemberCtx, card: VipCard): number {
  const key = `${vipCards[card].name}_price` as const
  return settings.vip[key] || defaultSettings().vip[key]
}

function endByHand(ctx: MemberCtx, { id, reason }: Input<typeof vip.end>): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const card = await ctx.db.selectFrom('user_vip').selectAll().where('id', '=', id).executeTakeFirst()
    if (!card) throw errors.vip.notFound()
    if (!(await endCard(ctx, card, reason))) throw errors.vip.over()
    const user = await findUser(ctx.db, card.user_id)
    ctx.audit?.({ ids: [id], change: `${user?.username ?? card.user_id}，${vipCardLabels[card.type]}：${reason}` })
  })
}
