import { getEngine } from './engine.ts'
import { inList } from './in-list.ts'
import type { Db } from './open.ts'

/**
 * Locks rows in id order to prevent deadlocks: one statement over several rows would lock them in physical order. Across
 * tables the order is orders, documents and articles, comments, collections, users, groups. SQLite has one writer at a time and needs no locks.
 */
export async function lockRows(
  { db }: { db: Db },
  table: 'order' | 'document' | 'article' | 'comment' | 'collection' | 'user' | 'group',
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
