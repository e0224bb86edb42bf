import type { Kysely } from 'kysely'

interface Tables {
  user: { id: number }
  setting: { category: string; name: string; value: string; updated_at: number }
}

/**
 * New sites read free documents whole, and all pages follow each other. A site that exists keeps what it had: the defaults
 * that have changed are written down as its own settings, and its owner is asked about them.
 */
export async function up(untyped: Kysely<unknown>): Promise<void> {
  const db = untyped as Kysely<Tables>
  const isNew = (await db.selectFrom('user').select('id').limit(1).execute()).length === 0
  if (isNew) return
  const limit = await db
    .selectFrom('setting')
    .select('value')
    .where('category', '=', 'converter')
    .where('name', '=', 'max_preview')
    .executeTakeFirst()
  await db
    .insertInto('setting')
    .values([
      { category: 'converter', name: 'max_preview_free', value: limit?.value ?? '12', updated_at: Date.now() },
      { category: 'display', name: 'pages_per_read', value: '5', updated_at: Date.now() },
      { category: 'checklist', name: 'upgraded', value: '1', updated_at: Date.now() },
    ])
    .onConflict((conflict) => conflict.columns(['category', 'name']).doNothing())
    .execute()
}
