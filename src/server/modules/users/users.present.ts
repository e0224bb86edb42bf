import type { User } from '#shared/contract/user.ts'
import { RecordStatus } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import { findDeletionTimes } from './deletion-requests.ts'
import { maskedIdentity } from './identity/identity-columns.ts'
import { nameLockedUntil } from './users.names.ts'
import { findMemberships, firstEnd, selectDisabledIds, type UserRow } from './users.queries.ts'
import { isVip } from './vip-members.ts'

/** The part of a member that every visitor may see: a balance is the member's own business. */
export function publicUser(ctx: Pick<Ctx, 'settings' | 'now'>, row: UserRow): User {
  const { id, username, avatar, signature, doc_count, article_count } = row
  const { follow_count, fans_count, favorite_count, comment_count } = row
  return {
    ...emptyUser,
    id,
    username,
    avatar,
    signature,
    is_vip: isVip(ctx, row),
    doc_count,
    article_count,
    follow_count,
    fans_count,
    favorite_count,
    comment_count,
  }
}

/** A member in a list that visitors may read: without the name that the member logs in with. */
export function listedUser(ctx: Pick<Ctx, 'settings' | 'now'>, row: UserRow): User {
  return { ...publicUser(ctx, row), username: '' }
}

/** For the member and for staff who manage users. The remark is only for staff. */
export async function fullUsers(
  ctx: Pick<Ctx, 'db' | 'settings' | 'now' | 'cipher'>,
  rows: readonly UserRow[],
  { remark }: { remark: boolean },
): Promise<User[]> {
  const ids = rows.map(({ id }) => id)
  const [memberships, deletions, disabled] = await Promise.all([
    findMemberships(ctx.db, ids),
    findDeletionTimes(ctx.db, ids),
    selectDisabledIds(ctx.db, ctx.now())
      .where('user_id', 'in', [0, ...ids])
      .execute(),
  ])
  const disabledIds = new Set(disabled.map(({ user_id }) => user_id))
  return rows.map((row) => {
    const {
      password: _password,
      username_key: _name,
      former_username_key: _former,
      realname_key: _realname,
      email_key: _email,
      ...columns
    } = row
    const groups = memberships.get(row.id) ?? []
    return {
      ...emptyUser,
      ...columns,
      ...maskedIdentity(ctx, row),
      is_vip: isVip(ctx, row),
      is_root: row.is_root === 1,
      mobile_verified: row.mobile_verified_at !== null,
      email_verified: row.email_verified_at !== null,
      username_locked_until: nameLockedUntil(row, ctx.now()),
      remark: remark ? row.remark : '',
      group_id: groups.map(({ group_id }) => group_id),
      member_until: firstEnd(groups),
      status: disabledIds.has(row.id) ? RecordStatus.Disabled : RecordStatus.Normal,
      deletion_at: deletions.get(row.id) ?? null,
    }
  })
}

export async function ownUser(ctx: Ctx, row: UserRow): Promise<User> {
  const [user] = await fullUsers(ctx, [row], { remark: false })
  return user ?? publicUser(ctx, row)
}

const emptyUser: User = {
  id: 0,
  username: '',
  username_locked_until: null,
  realname: '',
  identity: '',
  email: '',
  email_verified: false,
  mobile: '',
  mobile_verified: false,
  avatar: '',
  address: '',
  signature: '',
  remark: '',
  is_vip: false,
  is_root: false,
  register_ip: '',
  last_login_ip: '',
  doc_count: 0,
  article_count: 0,
  follow_count: 0,
  fans_count: 0,
  favorite_count: 0,
  comment_count: 0,
  credit_count: 0,
  group_id: [],
  member_until: null,
  status: RecordStatus.Normal,
  deletion_at: null,
  deleted_at: null,
  login_at: null,
  created_at: null,
  updated_at: null,
}
