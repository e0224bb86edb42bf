import { randomBytes } from 'node:crypto'
import type { Selectable, Updateable } from 'kysely'
import type { FactorMethod } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Cipher } from '#server/secrets/cipher.ts'

type Row = Selectable<Tables['account_security']>

export interface EnrolmentColumns {
  totp_enabled_at: number | null
  passkey_second: number | null
}

/** Whether a second factor is asked of the user. */
export function isEnrolled({ totp_enabled_at, passkey_second }: Partial<EnrolmentColumns>): boolean {
  return (totp_enabled_at ?? 0) > 0 || passkey_second === 1
}

export function findSecurity(db: Db, userId: number): Promise<Row | undefined> {
  return db.selectFrom('account_security').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

/** The row of a user; it is added with the first thing that there is to store. */
export async function getSecurity(db: Db, userId: number): Promise<Row> {
  await db
    .insertInto('account_security')
    .values({ user_id: userId, handle: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
  return db.selectFrom('account_security').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow()
}

export async function setSecurity(
  db: Db,
  userId: number,
  columns: Updateable<Tables['account_security']>,
): Promise<void> {
  await getSecurity(db, userId)
  await db.updateTable('account_security').set(columns).where('user_id', '=', userId).execute()
}

/** How an enrolled user can give the second factor. */
export async function findFactorMethods(db: Db, { user_id, totp_enabled_at }: Row): Promise<FactorMethod[]> {
  const [codes, passkeys] = await Promise.all([countRecoveryCodes(db, user_id), countPasskeys(db, user_id)])
  const methods: FactorMethod[] = []
  if (totp_enabled_at !== null) methods.push('totp')
  if (passkeys > 0) methods.push('passkey')
  if (codes > 0) methods.push('recovery')
  return methods
}

export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  const rows = await db
    .selectFrom('recovery_code')
    .select('id')
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute()
  return rows.length
}

/** Those that are accepted. */
export async function countPasskeys(db: Db, userId: number): Promise<number> {
  const rows = await db
    .selectFrom('passkey')
    .select('id')
    .where('user_id', '=', userId)
    .where('cloned_at', 'is', null)
    .execute()
  return rows.length
}

/** The time at which the site began to demand a second factor of this user. */
export async function noteDemand({ db, now }: Pick<Ctx, 'db' | 'now'>, userId: number): Promise<number> {
  await getSecurity(db, userId)
  await db
    .updateTable('account_security')
    .set({ demanded_at: now() })
    .where('user_id', '=', userId)
    .where('demanded_at', 'is', null)
    .execute()
  return (await findSecurity(db, userId))?.demanded_at ?? now()
}

/** A demand that the owner takes back and makes again begins anew. */
export async function purgeDemands(ctx: Ctx): Promise<void> {
  if (ctx.settings.security.staff_second_factor) return
  await ctx.db.updateTable('account_security').set({ demanded_at: null }).where('demanded_at', 'is not', null).execute()
}

/** For a user who has lost it. Passkeys stay: with one of them alone the user can still log in. */
export async function resetSecondFactor(db: Db, userId: number): Promise<void> {
  await db
    .updateTable('account_security')
    .set({ totp_secret: '', totp_pending: '', totp_enabled_at: null, passkey_second: 0, demanded_at: null })
    .where('user_id', '=', userId)
    .execute()
  await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
}

/** Everything of accounts that are deleted. */
export async function deleteSecurity(db: Db, userIds: readonly number[]): Promise<void> {
  for (const table of ['account_security', 'recovery_code', 'passkey', 'known_device'] as const)
    await db.deleteFrom(table).where('user_id', 'in', userIds).execute()
}

export function encryptTotpSecret(cipher: Cipher, userId: number, secret: string): string {
  return cipher.encrypt(`totp.${userId}`, secret)
}

/** Undefined if the key that it was encrypted with is gone. */
export function decryptTotpSecret(cipher: Cipher, userId: number, stored: string): string | undefined {
  const decrypted = cipher.decrypt(`totp.${userId}`, stored)
  return 'text' in decrypted ? decrypted.text : undefined
}

/** With the current key, what is stored with a former one. A secret that has changed since it was read is left alone. */
export async function encryptTotpSecretsAnew(db: Db, cipher: Cipher): Promise<number> {
  let count = 0
  for (const column of ['totp_secret', 'totp_pending'] as const) {
    const rows = await db
      .selectFrom('account_security')
      .select(['user_id', `${column} as stored`])
      .where(column, '<>', '')
      .execute()
    for (const { user_id, stored } of rows) {
      const secret = cipher.isCurrent(stored) ? undefined : decryptTotpSecret(cipher, user_id, stored)
      if (secret === undefined) continue
      await db
        .updateTable('account_security')
        .set({ [column]: encryptTotpSecret(cipher, user_id, secret) })
        .where('user_id', '=', user_id)
        .where(column, '=', stored)
        .execute()
      count += 1
    }
  }
  return count
}
