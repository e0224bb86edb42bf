import { type Kysely, sql } from 'kysely'

/** The code of the method that the trial has of its own now, and of the one that it shared. */
const [trial, other] = [11, 7]

/**
 * Orders that were paid by trying out get their own method. An attempt to pay by it says nothing that the order does not, as
 * no money moved: attempts go, and refunds of them become what they were, a taking back of what was granted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const attempts = sql`select id from payment where provider = 'trial'`
  await sql`update "order" set payment_method = ${trial} where payment_method = ${other} and exists
    (select 1 from payment where payment.order_id = "order".id and provider = 'trial' and state = 'paid')`.execute(db)
  // A surplus of no money is none.
  await sql`delete from refund where payment_id in (${attempts} and state = 'surplus')`.execute(db)
  const { rows } = await sql<Refund>`select refund.id, refund.order_id, refund.money, refund.state,
    "order".money as whole, "order".amount from refund join "order" on "order".id = refund.order_id
    where refund.payment_id in (${attempts}) order by refund.id`.execute(db)
  const back = new Map<number, number>()
  for (const { id, order_id, money, state, whole, amount } of rows) {
    const before = back.get(order_id) ?? 0
    const after = before + (state === 'refused' ? 0 : money)
    const share = (part: number) => Math.floor((amount * part) / Math.max(1, whole))
    const credits = state === 'refused' ? 0 : share(after) - share(before)
    await sql`update refund set payment_id = 0, money = 0, credits = ${credits} where id = ${id}`.execute(db)
    await sql`update "order" set refunded_money = 0, refunded_credits = ${share(after)} where id = ${order_id}`.execute(
      db,
    )
    back.set(order_id, after)
  }
  await sql`delete from payment_notice where payment_id in (${attempts})`.execute(db)
  await sql`delete from payment where provider = 'trial'`.execute(db)
  await sql`update "order" set has_surplus = 0 where has_surplus = 1 and not exists
    (select 1 from payment where payment.order_id = "order".id and state = 'surplus')`.execute(db)
}

interface Refund {
  id: number
  order_id: number
  money: number
  state: string
  whole: number
  amount: number
}
