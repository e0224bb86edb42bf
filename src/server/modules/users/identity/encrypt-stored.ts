import type { Db } from '#server/db/open.ts'
import type { Cipher } from '#server/secrets/cipher.ts'
import { emptyWriteAheadLog, erasingPlainText } from '#server/secrets/encrypted-columns.ts'
import { decryptIdentity, encryptIdentity } from './identity-columns.ts'

const batch = 500

/**
 * Encrypts what is stored as plain text or with a former key. Other processes may do the same at the same time: a value
 * that has changed since it was read is left alone. Returns of how many members.
 */
export async function encryptStoredIdentities(db: Db, cipher: Cipher): Promise<number> {
  const isCurrent = (stored: string) => stored === '' || cipher.isCurrent(stored)
  let count = 0
  for await (const rows of readStored(db)) {
    const due = rows.flatMap((row) => {
      if (isCurrent(row.realname) && isCurrent(row.identity)) return []
      const plain = decryptIdentity(cipher, row)
      return plain ? [{ ...row, encrypted: encryptIdentity(cipher, row.id, plain) }] : []
    })
    if (due.length === 0) continue
    await erasingPlainText(db, async (step) => {
      for (const { id, realname, identity, encrypted } of due)
        await step
          .updateTable('user')
          .set(encrypted)
          .where('id', '=', id)
          .where('realname', '=', realname)
          .where('identity', '=', identity)
          .execute()
    })
    count += due.length
  }
  if (count > 0) await emptyWriteAheadLog(db)
  return count
}

/** How many members have a name or number that was encrypted with a key that is not there. */
export async function countUnreadableIdentities(db: Db, cipher: Cipher): Promise<number> {
  let count = 0
  for await (const rows of readStored(db)) count += rows.filter((row) => !decryptIdentity(cipher, row)).length
  return count
}

async function* readStored(db: Db) {
  let last = 0
  for (;;) {
    const rows = await db
      .selectFrom('user')
      .select(['id', 'realname', 'identity'])
      .where((eb) => eb.or([eb('realname', '<>', ''), eb('identity', '<>', '')]))
      .where('id', '>', last)
      .orderBy('id')
      .limit(batch)
      .execute()
    if (rows.length > 0) yield rows
    last = rows.at(-1)?.id ?? 0
    if (rows.length < batch) return
  }
}
