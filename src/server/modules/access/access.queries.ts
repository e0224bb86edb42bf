import type { Db } from '#server/db/open.ts'

/** The owner of the site; undefined only before the first administrator exists. */
export async function findRootId(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('user').select('id').where('is_root', '=', 1).executeTakeFirst()
  return row?.id
}
