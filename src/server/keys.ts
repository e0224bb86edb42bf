import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db } from './db/open.ts'

/** Signing keys, created at the first start and stored in the database, so that all processes share them. */
export interface Keys {
  session: Uint8Array
  codes: Uint8Array
  /** Addresses of page images. */
  view: Uint8Array
  /** Download links, and the challenges of instant uploads. */
  links: Uint8Array
}

export async function loadKeys(db: Db): Promise<Keys> {
  return {
    session: await loadKey(db, 'session'),
    codes: await loadKey(db, 'codes'),
    view: await loadKey(db, 'view'),
    links: await loadKey(db, 'links'),
  }
}

/** For stored codes that users type in: they cannot be guessed offline from the database without the key. */
export function hmac(key: Uint8Array, value: string): string {
  return createHmac('sha256', key).update(value).digest('base64url')
}

/** For stored tokens, which are random and long: a plain hash is enough. */
export function fingerprint(value: string): string {
  return createHash('sha256').update(value).digest('base64url')
}

export function timingSafeEqualText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

async function loadKey(db: Db, name: string): Promise<Uint8Array> {
  const value = randomBytes(32).toString('base64url')
  await db
    .insertInto('secret')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const row = await db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirstOrThrow()
  return Buffer.from(row.value, 'base64url')
}
