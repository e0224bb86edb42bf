import type { credits } from '#shared/contract/credits.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { creditName } from '#shared/credit-name.ts'
import { errors } from '#shared/errors.ts'
import { describeInput } from '#server/audit-text.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { assertCanChangeUsers, assertNoOwnGain } from '#server/modules/access/access.policy.ts'
import { recordOutlay, toFen } from '#server/modules/outlays/outlays.ts'
import { addCredit, hasEntry, lockBalances, spendCredit } from './credits.ledger.ts'

/** Staff grant or take credits, for a reason that the member sees. A request that is repeated changes nothing. */
export function adjustCredit(
  ctx: MemberCtx,
  { user_id: userId, amount, reason, key }: Input<typeof credits.adjust>,
): Promise<Reply<typeof credits.adjust>> {
  if (amount === 0) throw errors.credits.noChange()
  return transaction(ctx, async (ctx) => {
    await assertNoOwnGain(ctx, [userId])
    await assertCanChangeUsers(ctx, [userId])
    await lockBalances(ctx, [userId])
    const before = await findBalance(ctx, userId)
    const change = {
      userId,
      amount: Math.abs(amount),
      reason: 'adjustment',
      refId: ctx.viewer.id,
      key: `adjustment:${ctx.viewer.id}:${key}`,
      note: reason,
    } as const
    const isRepeated = await hasEntry(ctx, change.key)
    if (!isRepeated && amount > 0) {
      const title = `给${await nameOf(ctx, userId)} 增加 ${amount} ${creditName(ctx.settings)}：${reason}`
      await recordOutlay(ctx, { act: 'adjust', fen: toFen(ctx, amount), title })
    }
    if (!isRepeated && !(await (amount > 0 ? addCredit : spendCredit)(ctx, change)))
      throw errors.credits.balanceShort(before)
    const balance = await findBalance(ctx, userId)
    const act = `${amount > 0 ? '增加' : '扣除'}了${creditName(ctx.settings)}：`
    ctx.audit?.({ act, ids: [userId], change: describeInput({ 余额: `${before} → ${balance}`, reason }), isRepeated })
    return { balance }
  })
}

async function nameOf({ db }: MemberCtx, userId: number): Promise<string> {
  const user = await db.selectFrom('user').select('username').where('id', '=', userId).executeTakeFirst()
  return user ? ` ${user.username}` : `用户 ${userId}`
}

async function findBalance({ db }: MemberCtx, userId: number): Promise<number> {
  const user = await db.selectFrom('user').select('credit_count').where('id', '=', userId).executeTakeFirst()
  if (!user) throw errors.users.notFound()
  return user.credit_count
}
