import type { Ctx } from '#server/context.ts'
import { among } from '#server/db/in-list.ts'
import { engineOf } from '#server/db/engine.ts'

/**
 * Holds rows until the transaction ends, in one order everywhere, so that two who change several cannot wait for each
 * other: first documents and articles, then comments, then users. SQLite has one writer at a time anyhow.
 */
export async function holdRows(
  { db }: Ctx,
  table: 'article' | 'comment' | 'user',
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0 || engineOf(db) === 'sqlite') return
  await db
    .selectFrom(table)
    .select('id')
    .where(among(db, 'id', ids))
    .orderBy('id')
    .forUpdate()
    .execute()
}
