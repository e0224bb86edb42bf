import type { Selectable } from 'kysely'
import { Punishment } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { mobilePattern } from '#shared/mobile.ts'
import { nameKey } from '#shared/names.ts'
import { bit } from '#server/db/tables/column.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { findDefaultGroup } from '#server/modules/access/groups.queries.ts'

export type UserRow = Selectable<Tables['user']>

export function findUser(db: Db, id: number) {
  return db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The member that new content is to belong to. */
export async function getContentOwner(db: Db, id: number) {
  const user = await findUser(db, id)
  if (!user || user.deleted_at !== null) throw errors.users.ownerGone()
  return user
}

export function findUserByName(db: Db, username: string) {
  return db.selectFrom('user').selectAll().where('username_key', '=', nameKey(username)).executeTakeFirst()
}

/** The member who has proven to receive mail at the address. */
export function findUserByEmail(db: Db, email: string) {
  return db
    .selectFrom('user')
    .selectAll()
    .where('email_key', '=', emailKey(email))
    .where('email_verified_at', 'is not', null)
    .executeTakeFirst()
}

const maxRecoverable = 5

/**
 * The accounts whose password mail to the address may set anew: the one of its proven holder, or else those that name it,
 * the oldest first. Anyone may enter any address, so each of several gets a mail of its own.
 */
export async function findRecoverable(db: Db, email: string): Promise<UserRow[]> {
  const holder = await findUserByEmail(db, email)
  if (holder) return [holder]
  const named = db.selectFrom('user').selectAll().where('email_key', '=', emailKey(email))
  return named.orderBy('id').limit(maxRecoverable).execute()
}

/** The member who has proven to hold the number. */
export function findUserByMobile(db: Db, mobile: string) {
  return db
    .selectFrom('user')
    .selectAll()
    .where('mobile', '=', mobile)
    .where('mobile_verified_at', 'is not', null)
    .executeTakeFirst()
}

/** By what a member types to log in. An address or a number counts only if it is proven; no name looks like either. */
export function findUserByLogin(db: Db, text: string) {
  if (isMobile(text)) return findUserByMobile(db, loginKey(text))
  return isEmail(text) ? findUserByEmail(db, text) : findUserByName(db, text)
}

/** What failed attempts to log in are counted by, whether or not the user exists. */
export function loginKey(text: string): string {
  return isEmail(text) || isMobile(text) ? emailKey(text) : nameKey(text)
}

export function emailKey(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase()
}

function isEmail(text: string): boolean {
  return emailKey(text).includes('@')
}

function isMobile(text: string): boolean {
  return mobilePattern.test(text.normalize('NFKC').trim())
}

/** The groups of each user, with the end of the membership. */
export async function findMemberships(db: Db, userIds: readonly number[]) {
  const rows = await db
    .selectFrom('user_group')
    .selectAll()
    .where('user_id', 'in', [0, ...userIds])
    .orderBy('group_id')
    .execute()
  return Map.groupBy(rows, ({ user_id }) => user_id)
}

/** The accounts that a punishment disables at this moment. */
export function selectDisabledIds(db: Db, now: number) {
  return db
    .selectFrom('punishment')
    .select('user_id')
    .where('type', '=', Punishment.Disabled)
    .where('enable', '=', 1)
    .where('user_id', 'not in', (eb) => eb.selectFrom('user').select('id').where('is_root', '=', 1))
    .where((eb) => eb.or([eb('end_time', 'is', null), eb('end_time', '>', now)]))
}

/** When the first of these memberships ends that does. */
export function firstEnd(memberships: readonly { ends_at: number | null }[]): number | null {
  const ends = memberships.flatMap(({ ends_at }) => ends_at ?? [])
  return ends.length > 0 ? Math.min(...ends) : null
}

/**
 * A membership that stays keeps its own end if none is given, or the one that was shown. Nobody's membership of the default
 * group ends.
 */
export async function setGroups(
  db: Db,
  userId: number,
  groupIds: readonly number[],
  endsAt?: number | null,
): Promise<void> {
  const before = await db.selectFrom('user_group').selectAll().where('user_id', '=', userId).execute()
  const keep = endsAt === undefined || endsAt === firstEnd(before) ? before : []
  const ends = new Map(keep.map(({ group_id, ends_at }) => [group_id, ends_at]))
  const standard = endsAt ? await findDefaultGroup(db) : undefined
  if (standard) ends.set(standard.id, null)
  await db.deleteFrom('user_group').where('user_id', '=', userId).execute()
  const rows = [...new Set(groupIds)].map((group_id) => ({
    user_id: userId,
    group_id,
    ends_at: ends.has(group_id) ? (ends.get(group_id) ?? null) : (endsAt ?? null),
  }))
  await db.insertInto('user_group').values(rows).execute()
}

/** Also invalidates mailed reset links. A password typed by another person has to be changed at the next log-in. */
export async function setPassword(
  db: Db,
  userId: number,
  password: string,
  now: number,
  { byOther = false } = {},
): Promise<void> {
  const must_change_password = bit(byOther)
  await db
    .updateTable('user')
    .set({ password, must_change_password, updated_at: now })
    .where('id', '=', userId)
    .execute()
  await db.deleteFrom('reset_token').where('user_id', '=', userId).execute()
}

/** Without users that do not exist. */
export async function findUsernames(db: Db, userIds: readonly number[]): Promise<Map<number, string>> {
  const ids = [...new Set(userIds)].filter((id) => id > 0)
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('user').select(['id', 'username']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}
