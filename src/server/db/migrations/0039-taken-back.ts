import { type Kysely, sql } from 'kysely'

/**
 * Credits that a refund takes from a member are recorded with it, and its entry in the ledger says that credits were
 * withdrawn, not that a refund was received. Document orders are type 1.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('refund')
    .addColumn('taken_credits', 'bigint', (type) => type.notNull().defaultTo(0))
    .execute()
  await sql`update refund set taken_credits = coalesce(
    (select -entry.amount from credit_entry as entry where entry.key = 'take-back:' || refund.id), 0)`.execute(db)
  await sql`update credit_entry set reason = 'saleWithdrawn',
    ref_id = (select sold.product_id from "order" as sold where sold.id = credit_entry.ref_id)
    where key like 'take-back:%' and exists
      (select 1 from "order" as sold where sold.id = credit_entry.ref_id and sold.type = 1)`.execute(db)
  await sql`update credit_entry set reason = 'topUpWithdrawn'
    where key like 'take-back:%' and reason = 'refund'`.execute(db)
}
