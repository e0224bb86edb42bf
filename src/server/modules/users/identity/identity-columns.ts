import { isIdentityNumber, isMasked, isRealname, maskIdentity, maskRealname } from '#shared/identity.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Cipher } from '#server/secrets/cipher.ts'
import { encryptedColumn } from '#server/secrets/encrypted-columns.ts'
import type { UserRow } from '../users.queries.ts'

/** The real name and the identity number of a member are stored encrypted. Only this file reads and writes them. */

export interface Identity {
  realname: string
  identity: string
}

type StoredIdentity = Pick<UserRow, 'id' | 'realname' | 'identity'>

const realnameColumn = encryptedColumn('user', 'realname')
const identityColumn = encryptedColumn('user', 'identity')
const unreadableMask = '******'

/** As they are stored, with a digest by which staff find the name. */
export function encryptIdentity(cipher: Cipher, id: number, { realname, identity }: Identity) {
  return {
    realname: realnameColumn.encrypt(cipher, id, realname),
    realname_key: realnameKey(cipher, realname),
    identity: identityColumn.encrypt(cipher, id, identity),
  }
}

/** Equal names have equal digests; without the key, which is not in the database, names cannot be tried. */
export function realnameKey(cipher: Cipher, realname: string): string {
  return realname === '' ? '' : cipher.digest('user.realname', realname.normalize('NFKC'))
}

/** Undefined if one of them cannot be decrypted. */
export function decryptIdentity(cipher: Cipher, row: StoredIdentity): Identity | undefined {
  const realname = realnameColumn.decrypt(cipher, row.id, row.realname)
  const identity = identityColumn.decrypt(cipher, row.id, row.identity)
  return 'text' in realname && 'text' in identity ? { realname: realname.text, identity: identity.text } : undefined
}

/** For every reply but the one that reveals them. */
export function maskedIdentity({ cipher }: Pick<Ctx, 'cipher'>, row: StoredIdentity): Identity {
  if (row.realname === '' && row.identity === '') return { realname: '', identity: '' }
  const plain = decryptIdentity(cipher, row)
  if (plain) return { realname: maskRealname(plain.realname), identity: maskIdentity(plain.identity) }
  return { realname: row.realname && unreadableMask, identity: row.identity && unreadableMask }
}

/** The columns that a profile form changes. What it sends back as it was shown, masked, stays as it is. */
export function changedIdentity({ cipher, now }: Pick<Ctx, 'cipher' | 'now'>, row: UserRow, input: Identity) {
  const shown = maskedIdentity({ cipher }, row)
  const before = decryptIdentity(cipher, row)
  const after = {
    realname: keep(input.realname, shown.realname),
    identity: keep(input.identity.toUpperCase(), shown.identity),
  }
  if (after.realname === undefined && after.identity === undefined) return {}
  if (after.realname && !isRealname(after.realname)) throw errors.users.realnameWrong().at('realname')
  if (after.identity && !isIdentityNumber(after.identity, now())) throw errors.users.identityWrong().at('identity')
  const isSame = before && isUnchanged(before.realname, after.realname) && isUnchanged(before.identity, after.identity)
  if (isSame) return {}
  const encrypted = encryptIdentity(cipher, row.id, { realname: after.realname ?? '', identity: after.identity ?? '' })
  const { realname, realname_key, identity } = encrypted
  return {
    ...(after.realname !== undefined && { realname, realname_key }),
    ...(after.identity !== undefined && { identity }),
  }
}

/** Undefined for a text that was sent back as it was shown. */
function keep(given: string, shown: string): string | undefined {
  return given !== '' && given === shown && isMasked(given) ? undefined : given
}

function isUnchanged(before: string, after: string | undefined): boolean {
  return after === undefined || after === before
}
