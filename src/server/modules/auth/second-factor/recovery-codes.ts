import { randomInt } from 'node:crypto'
import type { Ctx } from '#server/context.ts'
import { hmac } from '#server/keys.ts'

const howMany = 10
const length = 10
/** Without letters and digits that are mistaken for each other. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Replaces the codes of a user. They are returned this once; stored are their hashes. */
export async function makeRecoveryCodes(ctx: Ctx, userId: number): Promise<string[]> {
  const codes = Array.from({ length: howMany }, makeCode)
  await ctx.db.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  await ctx.db
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ user_id: userId, hash: hash(ctx, code) })))
    .execute()
  return codes
}

/** Uses up a code; whether it was one. */
export async function useRecoveryCode(ctx: Ctx, userId: number, code: string): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('recovery_code')
    .set({ used_at: ctx.now() })
    .where('user_id', '=', userId)
    .where('hash', '=', hash(ctx, code))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** In two groups, which are easier to read and to type. */
function makeCode(): string {
  const letters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${letters.slice(0, length / 2)}-${letters.slice(length / 2)}`
}

function hash({ keys }: Ctx, code: string): string {
  const letters = code
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^A-Z\d]/g, '')
  return hmac(keys.codes, `recovery:${letters}`)
}
