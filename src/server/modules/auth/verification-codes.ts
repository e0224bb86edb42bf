import { randomInt } from 'node:crypto'
import type { CodeScene } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { CodeTarget } from '#server/db/tables/users.ts'
import { hmac, timingSafeEqualText } from '#server/keys.ts'
import { countAttempt, uncountAttempt } from './attempts.ts'

const maxTries = 5

/** Where a code was sent and what for: it is valid for nothing else. */
export interface CodeAddress {
  kind: CodeTarget
  target: string
  scene: CodeScene
}

/** Makes a code. Older ones of the same address are no longer valid. */
export async function createCode(ctx: Ctx, address: CodeAddress, lifeMs: number): Promise<string> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await ctx.db
    .insertInto('verification_code')
    .values({
      ...address,
      code: hashCode(ctx, address, code),
      ip: ctx.origin.ip,
      expires_at: ctx.now() + lifeMs,
      created_at: ctx.now(),
    })
    .execute()
  return code
}

/**
 * Checks a code without using it up. Each try counts, so that only a few guesses are possible; outside of a transaction, as
 * a rollback would give them back.
 */
export async function proveCode(ctx: Ctx, address: CodeAddress, code: string): Promise<ProvenCode> {
  const from = `code-from:${ctx.origin.network}`
  await countAttempt(ctx, from, { free: 50, maxDelayMs: 15 * 60_000 })
  const latest = await ctx.db
    .selectFrom('verification_code')
    .select(['id', 'expires_at'])
    .where('kind', '=', address.kind)
    .where('target', '=', address.target)
    .where('scene', '=', address.scene)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (!latest || latest.expires_at <= ctx.now()) throw errors.users.codeWrong()
  const guess = await ctx.db
    .updateTable('verification_code')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', latest.id)
    .where('used', '=', 0)
    .where('tries', '<', maxTries)
    .returning('code')
    .executeTakeFirst()
  if (!guess || !timingSafeEqualText(guess.code, hashCode(ctx, address, code.trim()))) throw errors.users.codeWrong()
  await uncountAttempt(ctx, from)
  return { id: latest.id }
}

/** A code that was right. Only `proveCode` makes one. */
export interface ProvenCode {
  readonly id: number
}

/** Of several requests with one code, one succeeds. */
export async function spendCode(ctx: Ctx, { id }: ProvenCode): Promise<void> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('verification_code')
    .set({ used: 1 })
    .where('id', '=', id)
    .where('used', '=', 0)
    .executeTakeFirst()
  if (!numUpdatedRows) throw errors.users.codeWrong()
}

/** Uses up a code: it is valid once. */
export async function useCode(ctx: Ctx, address: CodeAddress, code: string): Promise<void> {
  await spendCode(ctx, await proveCode(ctx, address, code))
}

export async function purgeVerificationCodes(ctx: Ctx): Promise<void> {
  await ctx.db.deleteFrom('verification_code').where('expires_at', '<', ctx.now()).execute()
}

function hashCode({ keys }: Ctx, { kind, target, scene }: CodeAddress, code: string): string {
  return hmac(keys.codes, `${kind}:${target}:${scene}:${code}`)
}
