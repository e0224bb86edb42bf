import type { Db } from '../db/open.ts'

/** In the settings table, in a category that the settings form does not have. */
const name = { category: 'backup', name: 'finished_at' }

export async function recordBackup(db: Db, at: number): Promise<void> {
  const row = { value: String(at), updated_at: at }
  await db
    .insertInto('setting')
    .values({ ...name, ...row })
    .onConflict((conflict) => conflict.columns(['category', 'name']).doUpdateSet(row))
    .execute()
}

export async function findLastBackup(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('setting')
    .select('value')
    .where('category', '=', name.category)
    .where('name', '=', name.name)
    .executeTakeFirst()
  return Number(row?.value) || null
}
