import type { CreditReason } from '#shared/credits.ts'
import { type Ctx, transaction } from '#server/context.ts'

interface Change {
  userId: number
  /** How much; never below 0. */
  amount: number
  reason: CreditReason
  /** The document, order … it is about. */
  refId?: number
  /** What must happen once is given a key: a second change with it does nothing. */
  key?: string
}

interface Transfer {
  from: number
  to: number
  amount: number
  reason: CreditReason
  refId?: number
}

/** False when it had been given before, or there is nobody to give it to. */
export function addCredit(ctx: Ctx, change: Change): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    if (await isDone(ctx, change)) return false
    return enter(ctx, change, change.amount)
  })
}

/** Takes all of it, or nothing and says false. */
export function spendCredit(ctx: Ctx, change: Change): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    if (await isDone(ctx, change)) return false
    return enter(ctx, change, -change.amount)
  })
}

/** Takes what there is, at most `amount`, and says how much: a penalty never makes debts. */
export function takeCredit(ctx: Ctx, change: Change): Promise<number> {
  return transaction(ctx, async (ctx) => {
    if (await isDone(ctx, change)) return 0
    const taken = Math.min(await hold(ctx, change.userId), change.amount)
    await enter(ctx, change, -taken)
    return taken
  })
}

/** One pays, the other gets; false, and nothing has moved, when the first has too little. */
export function transferCredit(ctx: Ctx, { from, to, ...change }: Transfer): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    await holdBalances(ctx, [from, to])
    if (!(await enter(ctx, { ...change, userId: from }, -change.amount))) return false
    await enter(ctx, { ...change, userId: to }, change.amount)
    return true
  })
}

/**
 * Holds people's rows until the transaction ends. Who changes those of several calls this first: in one order whoever pays
 * whom, since two people who pay each other would otherwise wait for each other for ever.
 */
export async function holdBalances(ctx: Ctx, userIds: readonly number[]): Promise<void> {
  for (const userId of [...new Set(userIds)].toSorted((a, b) => a - b)) await hold(ctx, userId)
}

/** Whether what must happen once has happened. */
export async function isEntered({ db }: Ctx, key: string): Promise<boolean> {
  const entry = await db.selectFrom('credit_entry').select('id').where('key', '=', key).executeTakeFirst()
  return entry !== undefined
}

/** The one place where a balance changes, and never without its entry. */
async function enter(ctx: Ctx, change: Change, amount: number): Promise<boolean> {
  if (!Number.isSafeInteger(change.amount) || change.amount < 0) throw new RangeError(`credit of ${change.amount}`)
  if (change.amount === 0 || amount === 0) return true
  const changed = await ctx.db
    .updateTable('user')
    .set((eb) => ({ credit_count: eb('credit_count', '+', amount) }))
    .where('id', '=', change.userId)
    .where('credit_count', '>=', -amount)
    .returning('credit_count')
    .executeTakeFirst()
  if (!changed) return false
  await ctx.db
    .insertInto('credit_entry')
    .values({
      user_id: change.userId,
      amount,
      balance: changed.credit_count,
      reason: change.reason,
      ref_id: change.refId ?? 0,
      key: change.key ?? '',
      created_at: ctx.now(),
    })
    .execute()
  return true
}

/** Others who change this balance wait until the transaction ends. */
async function hold(ctx: Ctx, userId: number): Promise<number> {
  const row = await ctx.db
    .updateTable('user')
    .set((eb) => ({ credit_count: eb.ref('credit_count') }))
    .where('id', '=', userId)
    .returning('credit_count')
    .executeTakeFirst()
  return row?.credit_count ?? 0
}

async function isDone(ctx: Ctx, { userId, key }: Change): Promise<boolean> {
  if (!key) return false
  await hold(ctx, userId)
  return isEntered(ctx, key)
}
