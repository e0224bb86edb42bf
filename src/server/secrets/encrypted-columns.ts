import { sql } from 'kysely'
import { getEngine } from '../db/engine.ts'
import type { Db } from '../db/open.ts'
import type { Tables } from '../db/tables.ts'
import type { Cipher, Decrypted } from './cipher.ts'

/** A text column that is stored encrypted: the database alone, or a backup, gives nothing of it away. */
export interface EncryptedColumn {
  /** An empty text stays empty. */
  encrypt(cipher: Cipher, id: number, text: string): string
  /** Fails for a value that was copied from another row or column. */
  decrypt(cipher: Cipher, id: number, stored: string): Decrypted
}

export function encryptedColumn<T extends keyof Tables>(table: T, column: keyof Tables[T] & string): EncryptedColumn {
  const nameOf = (id: number) => `${table}.${column}:${id}`
  return {
    encrypt: (cipher, id, text) => (text === '' ? '' : cipher.encrypt(nameOf(id), text)),
    decrypt: (cipher, id, stored) => cipher.decrypt(nameOf(id), stored),
  }
}

/**
 * For the transactions that replace plain texts: otherwise they would stay in the unused parts of SQLite's pages, and in its
 * write-ahead log.
 */
export async function erasingPlainText(db: Db, work: (step: Db) => Promise<void>): Promise<void> {
  const engine = getEngine(db)
  await db.transaction().execute(async (step) => {
    if (engine === 'sqlite') await sql`pragma secure_delete = on`.execute(step)
    await work(step)
  })
}

/** Once all of them are done. */
export async function emptyWriteAheadLog(db: Db): Promise<void> {
  if (getEngine(db) === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(db)
}
