import type { orders } from '#shared/contract/orders.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { listRows } from '#server/db/list.ts'
import { bit } from '#server/db/tables/column.ts'

/** What reconciliation has found, for staff. */
export async function listDifferences(
  { db }: Ctx,
  { is_handled, ...input }: Input<typeof orders.differences>,
): Promise<Reply<typeof orders.differences>> {
  let query = db.selectFrom('bill_difference').selectAll()
  if (is_handled !== undefined) query = query.where('is_handled', '=', bit(is_handled))
  const { total, rows } = await listRows(query, input, {
    search: ['order_no', 'attempt_no', 'transaction_id'],
    order: [['id', 'desc']],
  })
  return { total, difference: rows.map((row) => ({ ...row, is_handled: row.is_handled === 1 })) }
}

export async function handleDifference(
  { db, now }: Ctx,
  { id, remark }: Input<typeof orders.handleDifference>,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('bill_difference')
    .set({ is_handled: 1, remark, updated_at: now() })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw errors.records.notFound()
}
