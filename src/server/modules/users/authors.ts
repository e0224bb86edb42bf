import type { PublicUser } from '#shared/contract/users.ts'
import type { Db } from '#server/db/open.ts'

/** One whose account is gone is still somebody: pages show a name without asking. */
const nobody: PublicUser = {
  id: 0,
  username: '已注销用户',
  avatar: '',
  signature: '',
  is_vip: false,
  doc_count: 0,
  article_count: 0,
  follow_count: 0,
  fans_count: 0,
  favorite_count: 0,
  comment_count: 0,
  credit_count: 0,
}

/** Who made things, for each id that was asked: one query however many there are. */
export async function authorsOf(db: Db, userIds: readonly number[]): Promise<(id: number) => PublicUser> {
  const ids = [...new Set(userIds)].filter((id) => id > 0)
  if (ids.length === 0) return () => nobody
  const rows = await db
    .selectFrom('user')
    .select(['id', 'username', 'avatar', 'signature', 'doc_count', 'article_count'])
    .select(['follow_count', 'fans_count', 'favorite_count', 'comment_count', 'credit_count'])
    .where('id', 'in', ids)
    .execute()
  const found = new Map(rows.map((row) => [row.id, { ...nobody, ...row }]))
  return (id) => found.get(id) ?? nobody
}
