import type { PublicUser } from '#shared/contract/user.ts'
import { deletedUserName } from '#shared/names.ts'
import type { Ctx } from '#server/context.ts'
import { isVip } from './vip-members.ts'

/** In place of an author whose account is gone. */
const deletedUser: PublicUser = {
  id: 0,
  username: deletedUserName,
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

/** Loads authors in one query; gives a function that finds them by id. */
export async function loadAuthors(
  ctx: Pick<Ctx, 'db' | 'settings' | 'now'>,
  userIds: readonly number[],
): Promise<(id: number) => PublicUser> {
  const ids = [...new Set(userIds)].filter((id) => id > 0)
  if (ids.length === 0) return () => deletedUser
  const rows = await ctx.db
    .selectFrom('user')
    .select(['id', 'username', 'avatar', 'signature', 'doc_count', 'article_count'])
    .select(['follow_count', 'fans_count', 'favorite_count', 'comment_count', 'vip_until'])
    .where('id', 'in', ids)
    .execute()
  const authors = new Map(
    rows.map(({ vip_until, ...row }) => [row.id, { ...deletedUser, ...row, is_vip: isVip(ctx, { vip_until }) }]),
  )
  return (id) => authors.get(id) ?? deletedUser
}

/** What lists show of authors; without users that do not exist. */
export async function findNames(
  ctx: Pick<Ctx, 'db' | 'settings' | 'now'>,
  userIds: readonly number[],
): Promise<Map<number, { username: string; isVip: boolean }>> {
  const ids = [...new Set(userIds)].filter((id) => id > 0)
  if (ids.length === 0) return new Map()
  const rows = await ctx.db.selectFrom('user').select(['id', 'username', 'vip_until']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, username, vip_until }) => [id, { username, isVip: isVip(ctx, { vip_until }) }]))
}
