import type { Ctx } from '#server/context.ts'

interface StatusCount {
  source_id: number
  status: number
  count: number
}

/** How many rows of these sources have each status: an index has just these columns. */
export async function countBySource(
  { db }: Pick<Ctx, 'db'>,
  table: 'spider_url' | 'spider_document',
  sourceIds: readonly number[],
): Promise<StatusCount[]> {
  if (sourceIds.length === 0) return []
  return db
    .selectFrom(table)
    .select(({ fn }) => ['source_id', 'status', fn.countAll<number>().as('count')])
    .where('source_id', 'in', sourceIds)
    .groupBy(['source_id', 'status'])
    .execute()
}

/** By status: those of the given sources, or of all if none is given. */
export async function countByStatus(
  ctx: Pick<Ctx, 'db'>,
  table: 'spider_url' | 'spider_document',
  sourceIds: readonly number[],
): Promise<Map<number, number>> {
  if (sourceIds.length > 0) return sumByStatus(await countBySource(ctx, table, sourceIds))
  const rows = await ctx.db
    .selectFrom(table)
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute()
  return sumByStatus(rows)
}

export function sumByStatus(rows: readonly Pick<StatusCount, 'status' | 'count'>[]): Map<number, number> {
  const sums = new Map<number, number>()
  for (const { status, count } of rows) sums.set(status, (sums.get(status) ?? 0) + count)
  return sums
}
