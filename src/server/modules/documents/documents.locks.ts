import type { Ctx } from '#server/context.ts'
import { getEngine } from '#server/db/engine.ts'

/**
 * Locks rows in id order to prevent deadlocks: one statement over several rows would lock them in physical
 * order. SQLite has one writer at a time and needs no locks.
 */
export async function lockDocuments({ db }: Ctx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0 || getEngine(db) === 'sqlite') return
  await db.selectFrom('document').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
}
