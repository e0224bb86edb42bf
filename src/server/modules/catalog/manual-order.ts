import type { ContentType } from '#shared/enums.ts'
import { sql } from 'kysely'
import { errors } from '#shared/errors.ts'
import { applyOrder } from '#shared/manual-order.ts'
import { type Ctx, transaction } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'

interface OrderedTable {
  table: 'navigation' | 'friendlink' | 'banner' | 'category' | 'topic'
  /** Rows with equal values in these columns are ordered among themselves. */
  groupBy: readonly ('parent_id' | 'type')[]
  /** Order of rows with equal weight, as in the public list. */
  tieBreakers: readonly (readonly [column: 'enable' | 'title' | 'id', direction: 'asc' | 'desc'])[]
}

/** Leaves gaps for weights that are edited by hand. */
export const step = 10

/** Puts rows into the order of `ids`, at the positions they have together. The whole group gets new weights. */
export async function reorder(
  ctx: Ctx,
  { table, groupBy, tieBreakers }: OrderedTable,
  order: readonly number[],
): Promise<void> {
  await transaction(ctx, async (ctx) => {
    await lockOrder(ctx.db, table)
    const ids = [...new Set(order)]
    const rows = await findOrdered(ctx.db, { table, groupBy, tieBreakers })
    const moved = rows.filter(({ id }) => ids.includes(id))
    const [group, ...otherGroups] = new Set(moved.map((row) => row.group))
    if (otherGroups.length > 0) throw errors.manualOrder.mixed()
    const siblings = rows.filter((row) => row.group === group)
    for (const { id, sort } of reweigh(siblings, ids))
      await ctx.db.updateTable(table).set({ sort }).where('id', '=', id).execute()
    ctx.emit('site.changed', {})
  })
}

/** The rows whose weights change when `ids` are put into this order, at the positions they have together. */
export function reweigh(
  rows: readonly { id: number; sort: number }[],
  ids: readonly number[],
): { id: number; sort: number }[] {
  const known = new Set(rows.map(({ id }) => id))
  if (ids.some((id) => !known.has(id))) throw errors.manualOrder.gone()
  return applyOrder(rows, ids).flatMap(({ id, sort }, index) => {
    const weight = (rows.length - index) * step
    return sort === weight ? [] : [{ id, sort: weight }]
  })
}

interface OrderedRow {
  id: number
  sort: number
  group: string
}

async function findOrdered(db: Db, { table, groupBy, tieBreakers }: OrderedTable): Promise<OrderedRow[]> {
  const columns = sql.join(['id', 'sort', ...groupBy].map((column) => sql.ref(column)))
  const order = sql.join([
    sql`sort desc`,
    ...tieBreakers.map(([column, direction]) => sql`${sql.ref(column)} ${sql.raw(direction)}`),
  ])
  const { rows } = await sql<{ id: number; sort: number; parent_id?: number; type?: ContentType }>`
    select ${columns} from ${sql.table(table)} order by ${order}`.execute(db)
  return rows.map((row) => ({ id: row.id, sort: row.sort, group: groupBy.map((column) => row[column]).join() }))
}

/** Serializes changes to the order of a table until the transaction ends. */
async function lockOrder(db: Db, table: string): Promise<void> {
  await db
    .insertInto('revision')
    .values({ name: `order of ${table}`, value: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet((eb) => ({ value: eb('revision.value', '+', 1) })))
    .execute()
}
