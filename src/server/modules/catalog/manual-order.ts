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
    await setWeights(ctx.db, table, siblings, ids)
    ctx.emit('site.changed', {})
  })
}

/** As `reorder`, for the items of one collection. Call it with the collection locked. */
export async function reorderItems({ db }: Ctx, collectionId: number, order: readonly number[]): Promise<void> {
  const items = await db
    .selectFrom('collection_item')
    .select(['id', 'sort'])
    .where('collection_id', '=', collectionId)
    .orderBy('sort', 'desc')
    .orderBy('id')
    .execute()
  await setWeights(db, 'collection_item', items, [...new Set(order)])
}

async function setWeights(
  db: Db,
  table: OrderedTable['table'] | 'collection_item',
  rows: readonly { id: number; sort: number }[],
  ids: readonly number[],
): Promise<void> {
  const known = new Set(rows.map(({ id }) => id))
  if (ids.some((id) => !known.has(id))) throw errors.manualOrder.gone()
  for (const [index, { id, sort }] of applyOrder(rows, ids).entries()) {
    const weight = (rows.length - index) * step
    if (sort !== weight) await db.updateTable(table).set({ sort: weight }).where('id', '=', id).execute()
  }
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
