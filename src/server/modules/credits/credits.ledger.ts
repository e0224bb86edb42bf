import type { CreditReason } from '#shared/credits.ts'
import { type Ctx, transaction } from '#server/context.ts'

interface Change {
  userId: number
  /** Not negative. */
  amount: number
  reason: CreditReason
  /** The document, order … that it is about. */
  refId?: number
  /** An idempotency key: a second change with it does nothing. */
  key?: string
  /** Why staff granted or took it. */
  note?: string
}

interface Transfer {
  from: number
  to: number
  amount: number
  reason: CreditReason
  refId?: number
}

/** False if the key was used before, or the user does not exist. */
export function addCredit(ctx: Ctx, change: Change): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    if (await isPosted(ctx, change)) return false
    return postEntry(ctx, change, change.amount)
  })
}

/** Takes the whole amount, or nothing and gives false. */
export function spendCredit(ctx: Ctx, change: Change): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    if (await isPosted(ctx, change)) return false
    return postEntry(ctx, change, -change.amount)
  })
}

/** Takes at most the balance, and gives the amount taken: a penalty never makes it negative. */
export function takeCredit(ctx: Ctx, change: Change): Promise<number> {
  return transaction(ctx, async (ctx) => {
    if (await isPosted(ctx, change)) return 0
    const taken = Math.min(await lockBalance(ctx, change.userId), change.amount)
    await postEntry(ctx, change, -taken)
    return taken
  })
}

/** False, without any change, if the balance of `from` is too low. */
export function transferCredit(ctx: Ctx, { from, to, ...change }: Transfer): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    await lockBalances(ctx, [from, to])
    if (!(await postEntry(ctx, { ...change, userId: from }, -change.amount))) return false
    await postEntry(ctx, { ...change, userId: to }, change.amount)
    return true
  })
}

/**
 * Locks users' rows until the transaction ends, in id order to prevent deadlocks. To be called before the balances of several
 * users are changed.
 */
export async function lockBalances(ctx: Ctx, userIds: readonly number[]): Promise<void> {
  for (const userId of [...new Set(userIds)].toSorted((a, b) => a - b)) await lockBalance(ctx, userId)
}

/** Whether an idempotency key was used. */
export async function hasEntry({ db }: Ctx, key: string): Promise<boolean> {
  const entry = await db.selectFrom('credit_entry').select('id').where('key', '=', key).executeTakeFirst()
  return entry !== undefined
}

/** The only place where a balance changes, always with a ledger entry. */
async function postEntry(ctx: Ctx, change: Change, amount: number): Promise<boolean> {
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
      note: change.note ?? '',
      created_at: ctx.now(),
    })
    .execute()
  return true
}

/** Locks the user's row until the transaction ends, and gives the balance. */
async function lockBalance(ctx: Ctx, userId: number): Promise<number> {
  const row = await ctx.db
    .updateTable('user')
    .set((eb) => ({ credit_count: eb.ref('credit_count') }))
    .where('id', '=', userId)
    .returning('credit_count')
    .executeTakeFirst()
  return row?.credit_count ?? 0
}

async function isPosted(ctx: Ctx, { userId, key }: Change): Promise<boolean> {
  if (!key) return false
  await lockBalance(ctx, userId)
  return hasEntry(ctx, key)
}
