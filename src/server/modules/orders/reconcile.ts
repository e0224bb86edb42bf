import type { orders } from '#shared/contract/orders.ts'
import type { Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { payProviderNames, type PayProviderName } from '#shared/payment-methods.ts'
import { type Ctx, transaction } from '#server/context.ts'
import type { DifferenceKind } from '#server/db/tables/orders.ts'
import { isMailEnabled } from '#server/gateways/mail.ts'
import { type BillEntry, type PayProvider, PayProviderError } from '#server/gateways/pay/pay-provider.ts'
import { startOfBeijingDay, toBeijingDay } from '#server/gateways/pay/beijing-time.ts'
import { enqueueMail } from '#server/modules/mail/mail.service.ts'
import { findProvider, getProvider, providerTitles } from '#server/modules/orders/paying/providers.ts'
import { isOurNumber } from './order-numbers.ts'
import { settlePayment } from '#server/modules/orders/paying/settle.ts'

const [hourMs, dayMs] = [3_600_000, 86_400_000]
/** Their bills of a day are ready at ten in the morning of the next. */
const readyMs = 34.5 * hourMs
/** How many days back a bill is still asked for. */
const daysBack = 7

interface Reconciliation {
  /** How many bills were compared. */
  bills: number
  /** How many differences are new. */
  differences: number
  /** Of providers whose bills could not be read. */
  problems: string[]
}

/** Compares the bills that are ready with our orders, each once, and mails the owner what is new. */
export async function reconcile(ctx: Ctx): Promise<Reconciliation> {
  const result: Reconciliation = { bills: 0, differences: 0, problems: [] }
  for (const name of payProviderNames) {
    const isUsed = findProvider(ctx, name) !== undefined || (await hasLateAttempts(ctx, name))
    if (isUsed) await reconcileProvider(ctx, getProvider(ctx, name), result)
  }
  if (result.differences > 0) await mailOwner(ctx, result.differences)
  return result
}

/** Whether payments were begun lately with a provider that is switched off since. */
async function hasLateAttempts({ db, now }: Ctx, provider: PayProviderName): Promise<boolean> {
  const attempt = await db
    .selectFrom('payment')
    .select('id')
    .where('provider', '=', provider)
    .where('created_at', '>', now() - readyMs - daysBack * dayMs)
    .limit(1)
    .executeTakeFirst()
  return attempt !== undefined
}

/** For staff who do not want to wait for the job. */
export async function reconcileNow(ctx: Ctx): Promise<Reply<typeof orders.reconcile>> {
  const { bills, differences, problems } = await reconcile(ctx)
  if (problems.length > 0) throw errors.orders.billFailed(problems.join('；'))
  return { bills, differences }
}

/** A provider that cannot be reached does not keep the others from being compared; it is asked again in an hour. */
async function reconcileProvider(ctx: Ctx, provider: PayProvider, result: Reconciliation): Promise<void> {
  try {
    for (const day of await dueDays(ctx, provider.name)) {
      const found = await reconcileDay(ctx, provider, day)
      if (found === undefined) continue
      result.bills += 1
      result.differences += found
    }
  } catch (error) {
    if (!(error instanceof PayProviderError)) throw error
    const { code, message: reason } = error
    ctx.log.warn({ provider: provider.name, code, reason }, 'a bill could not be compared')
    result.problems.push(`${providerTitles[provider.name]}：${reason}`)
  }
}

async function mailOwner(ctx: Ctx, count: number): Promise<void> {
  const { db, settings, now } = ctx
  const owner = await db.selectFrom('user').select('email').where('is_root', '=', 1).executeTakeFirst()
  if (!owner?.email || !isMailEnabled(settings)) return
  const { domain } = settings.system
  const link = domain && new URL('/admin/order/difference', domain).href
  const params = { count, link }
  await enqueueMail(ctx, { to: owner.email, template: 'bill-differences', params, expiresAt: now() + 3 * dayMs })
}

async function dueDays({ db, now }: Ctx, provider: PayProviderName): Promise<string[]> {
  const done = await db.selectFrom('bill').select('day').where('provider', '=', provider).execute()
  const checked = new Set(done.map(({ day }) => day))
  const first = await db
    .selectFrom('payment')
    .select((eb) => eb.fn.min('created_at').as('at'))
    .where('provider', '=', provider)
    .executeTakeFirst()
  const since = first?.at ?? Infinity
  return Array.from({ length: daysBack }, (_, index) => now() - readyMs - index * dayMs)
    .filter((at) => startOfBeijingDay(toBeijingDay(at)) + dayMs > since)
    .map((at) => toBeijingDay(at))
    .filter((day) => !checked.has(day))
    .toReversed()
}

/** How many differences are new; undefined while there is no bill yet. */
async function reconcileDay(ctx: Ctx, provider: PayProvider, day: string): Promise<number | undefined> {
  const whole = provider.hasNoBill ? await askAboutDay(ctx, provider, day) : await provider.readBill(day)
  if (!whole) return undefined
  // The account may serve other sites as well.
  const bill = whole.filter(({ attemptNo }) => isOurNumber(attemptNo))
  // A payment whose notice was lost is settled now; it stays in the list, so that the owner learns of the loss.
  for (const entry of bill.filter(({ kind }) => kind === 'payment')) await settleLost(ctx, provider, entry)
  const ours = await findOurs(ctx, provider, day, bill)
  const differences = [
    ...bill.flatMap((entry) => compare(entry, ours.get(keyOf(entry)))),
    ...[...ours.values()]
      .filter((entry) => !bill.some((candidate) => keyOf(candidate) === keyOf(entry)))
      .map((entry) => difference('missing-there', entry, entry.fen, 0)),
  ]
  return transaction(ctx, async (ctx) => {
    let added = 0
    for (const row of differences) added += await insertDifference(ctx, provider.name, day, row)
    await ctx.db.updateTable('refund').set({ bill_day: day }).where('refund_no', 'in', refundsIn(bill)).execute()
    const paid = bill.filter(({ kind }) => kind === 'payment')
    await ctx.db
      .insertInto('bill')
      .values({
        provider: provider.name,
        day,
        payments: paid.length,
        money: paid.reduce((sum, { fen }) => sum + fen, 0),
        created_at: ctx.now(),
      })
      .onConflict((conflict) => conflict.columns(['provider', 'day']).doNothing())
      .execute()
    return added
  })
}

/** In place of a bill: what the provider says about each attempt of the day. */
async function askAboutDay({ db }: Ctx, provider: PayProvider, day: string): Promise<BillEntry[]> {
  const start = startOfBeijingDay(day)
  const attempts = await db
    .selectFrom('payment')
    .select(['attempt_no', 'state', 'paid_at', 'created_at'])
    .where('provider', '=', provider.name)
    .where((eb) => eb.between(eb.fn.coalesce('paid_at', 'created_at'), start, start + dayMs - 1))
    .execute()
  const entries: BillEntry[] = []
  for (const { attempt_no: attemptNo, state: known, paid_at, created_at } of attempts) {
    const answer = await provider.query(attemptNo).catch((error: unknown) => {
      // Gateways have many words for a payment that was never begun there; one that we know of must be found.
      const isNone = error instanceof PayProviderError && !error.isTemporary && known !== 'paid' && known !== 'surplus'
      if (isNone) return undefined
      throw error
    })
    if (!answer) continue
    const { state, transactionId, fen, paidAt } = answer
    const at = paid_at ?? paidAt ?? created_at
    if (state === 'paid' || state === 'refunded')
      entries.push({ kind: 'payment', attemptNo, transactionId, refundNo: '', fen, at })
  }
  return entries
}

interface OwnEntry extends Pick<BillEntry, 'kind' | 'attemptNo' | 'refundNo' | 'transactionId' | 'fen'> {
  orderNo: string
  isLost: boolean
}

interface Difference {
  kind: DifferenceKind
  entry: Pick<BillEntry, 'kind' | 'attemptNo' | 'refundNo' | 'transactionId'> & { orderNo?: string }
  ours: number
  theirs: number
}

function compare(entry: BillEntry, own: OwnEntry | undefined): Difference[] {
  if (!own || own.isLost) return [difference('missing-here', own ?? entry, 0, entry.fen)]
  return own.fen === entry.fen ? [] : [difference('other-amount', own, own.fen, entry.fen)]
}

function difference(kind: DifferenceKind, entry: Difference['entry'], ours: number, theirs: number): Difference {
  return { kind, entry, ours, theirs }
}

function keyOf({ kind, attemptNo, refundNo }: Pick<BillEntry, 'kind' | 'attemptNo' | 'refundNo'>): string {
  return kind === 'payment' ? `payment ${attemptNo}` : `refund ${refundNo}`
}

async function settleLost(ctx: Ctx, provider: PayProvider, entry: BillEntry): Promise<void> {
  const payment = await ctx.db
    .selectFrom('payment')
    .select(['id', 'state'])
    .where('attempt_no', '=', entry.attemptNo)
    .where('provider', '=', provider.name)
    .executeTakeFirst()
  if (!payment || payment.state === 'paid' || payment.state === 'surplus') return
  const asked = await provider.query(entry.attemptNo)
  await settlePayment(ctx, provider.name, asked, { isAsked: true })
  await ctx.db.updateTable('payment').set({ answer: lostMark }).where('id', '=', payment.id).execute()
}

/** Of a payment that only the bill has told us about. */
const lostMark = '对账时发现'

/**
 * Our payments of a day, and the refunds that the bill names, by what it calls them. We may learn of a refund some time after
 * it was made there: those of the day before are in this bill or in an earlier one.
 */
async function findOurs(
  { db }: Ctx,
  provider: PayProvider,
  day: string,
  bill: readonly BillEntry[],
): Promise<Map<string, OwnEntry>> {
  const start = startOfBeijingDay(day)
  const payments = await db
    .selectFrom('payment')
    .innerJoin('order', 'order.id', 'payment.order_id')
    .select(['payment.attempt_no', 'payment.transaction_id', 'payment.money', 'payment.answer', 'order.order_no'])
    .where('payment.provider', '=', provider.name)
    .where('payment.state', 'in', ['paid', 'surplus'])
    .where('payment.paid_at', '>=', start)
    .where('payment.paid_at', '<', start + dayMs)
    .execute()
  const refundRows = db
    .selectFrom('refund')
    .innerJoin('payment', 'payment.id', 'refund.payment_id')
    .innerJoin('order', 'order.id', 'refund.order_id')
    .select(['refund.refund_no', 'refund.money', 'payment.attempt_no', 'payment.transaction_id', 'order.order_no'])
    .where('payment.provider', '=', provider.name)
    .where('refund.state', '<>', 'refused')
  const named = await refundRows.where('refund.refund_no', 'in', refundsIn(bill)).execute()
  const unseen = await refundRows
    .where('refund.state', '=', 'done')
    .where('refund.bill_day', '=', '')
    .where('refund.updated_at', '>=', start - dayMs)
    .where('refund.updated_at', '<', start)
    .execute()
  const entries: OwnEntry[] = [
    ...payments.map((row) => ({
      kind: 'payment' as const,
      attemptNo: row.attempt_no,
      refundNo: '',
      transactionId: row.transaction_id,
      fen: row.money,
      orderNo: row.order_no,
      isLost: row.answer === lostMark,
    })),
    // Without a bill there is nothing to compare them with.
    ...(provider.hasNoBill ? [] : [...named, ...unseen]).map((row) => ({
      kind: 'refund' as const,
      attemptNo: row.attempt_no,
      refundNo: row.refund_no,
      transactionId: row.transaction_id,
      fen: row.money,
      orderNo: row.order_no,
      isLost: false,
    })),
  ]
  return new Map(entries.map((entry) => [keyOf(entry), entry]))
}

/** Their numbers; never empty, which databases would not take. */
function refundsIn(bill: readonly BillEntry[]): string[] {
  return ['', ...bill.flatMap(({ kind, refundNo }) => (kind === 'refund' ? [refundNo] : []))]
}

async function insertDifference(
  { db, now }: Ctx,
  provider: PayProviderName,
  day: string,
  { kind, entry, ours, theirs }: Difference,
): Promise<number> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('bill_difference')
    .values({
      provider,
      day,
      kind,
      entry: entry.kind,
      attempt_no: entry.kind === 'refund' ? entry.refundNo : entry.attemptNo,
      transaction_id: entry.transactionId,
      order_no: entry.orderNo ?? '',
      our_money: ours,
      their_money: theirs,
      created_at: now(),
      updated_at: now(),
    })
    .onConflict((conflict) => conflict.columns(['provider', 'day', 'kind', 'entry', 'attempt_no']).doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows ?? 0)
}
