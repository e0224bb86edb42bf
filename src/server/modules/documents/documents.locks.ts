import { PostgresAdapter } from 'kysely'
import type { Ctx } from '#server/context.ts'

/**
 * Holds documents until the transaction ends, in one order everywhere: who changes several in one statement would take
 * them in the order in which they lie, and two could wait for each other. SQLite has one writer at a time anyhow.
 */
export async function holdDocuments({ db }: Ctx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0 || !(db.getExecutor().adapter instanceof PostgresAdapter)) return
  await db.selectFrom('document').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
}
