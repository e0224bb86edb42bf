import { sql } from 'kysely'
import { errors } from '#shared/errors.ts'
import { ranked } from '#shared/rank.ts'
import { type Ctx, transaction } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'

interface Ranking {
  table: 'navigation' | 'friendlink' | 'banner' | 'category'
  /** Rows alike in these are ordered among themselves. */
  within: readonly ('parent_id' | 'type')[]
  /** What decides between rows of one weight, as in the list that people see. */
  ties: readonly (readonly [column: 'enable' | 'title' | 'id', direction: 'asc' | 'desc'])[]
}

/** Room between two weights, for who writes them by hand. */
const step = 10

/** Puts the named rows into this order, at the places they hold together. The whole group gets weights of its own. */
export async function rank(ctx: Ctx, { table, within, ties }: Ranking, given: readonly number[]): Promise<void> {
  await transaction(ctx, async (ctx) => {
    await holdOrder(ctx.db, table)
    const ids = [...new Set(given)]
    const rows = await inOrder(ctx.db, { table, within, ties })
    const named = rows.filter(({ id }) => ids.includes(id))
    if (named.length < ids.length) throw errors.rank.gone()
    const [group, ...others] = new Set(named.map((row) => row.group))
    if (others.length > 0) throw errors.rank.mixed()
    const siblings = rows.filter((row) => row.group === group)
    for (const [index, { id, sort }] of ranked(siblings, ids).entries()) {
      const weight = (siblings.length - index) * step
      if (sort !== weight) await ctx.db.updateTable(table).set({ sort: weight }).where('id', '=', id).execute()
    }
    ctx.emit('site.changed', {})
  })
}

interface Ranked {
  id: number
  sort: number
  group: string
}

async function inOrder(db: Db, { table, within, ties }: Ranking): Promise<Ranked[]> {
  const columns = sql.join(['id', 'sort', ...within].map((column) => sql.ref(column)))
  const order = sql.join([
    sql`sort desc`,
    ...ties.map(([column, direction]) => sql`${sql.ref(column)} ${sql.raw(direction)}`),
  ])
  const { rows } = await sql<{ id: number; sort: number; parent_id?: number; type?: number }>`
    select ${columns} from ${sql.table(table)} order by ${order}`.execute(db)
  return rows.map((row) => ({ id: row.id, sort: row.sort, group: within.map((column) => row[column]).join() }))
}

/** Until the transaction ends nobody else orders the same rows. */
async function holdOrder(db: Db, table: string): Promise<void> {
  await db
    .insertInto('revision')
    .values({ name: `order of ${table}`, value: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet((eb) => ({ value: eb('revision.value', '+', 1) })))
    .execute()
}
