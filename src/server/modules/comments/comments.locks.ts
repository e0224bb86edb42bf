import type { Ctx } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { getEngine } from '#server/db/engine.ts'

/**
 * Locks rows in id order to prevent deadlocks; across tables the order is documents and articles, comments, users. SQLite
 * has one writer at a time and needs no locks.
 */
export async function lockRows(
  { db }: Ctx,
  table: 'article' | 'comment' | 'user',
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0 || getEngine(db) === 'sqlite') return
  await db
    .selectFrom(table)
    .select('id')
    .where(inList(db, 'id', ids))
    .orderBy('id')
    .forUpdate()
    .execute()
}
