import { errors, type FactorMethod } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { countAttempt, resetAttempts } from '../attempts.ts'
import { type PasskeyPurpose, verifyPasskey } from '../passkeys/verify-passkey.ts'
import { decryptTotpSecret, findSecurity } from './account-security.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { findStep, fromBase32 } from './totp.ts'

export interface FactorAnswer {
  /** Six digits of the authenticator app, or a recovery code. */
  code: string
  /** The answer of an authenticator, as JSON. */
  passkey: string
}

/** Throws unless the answer is right; returns how it was given. No answer is accepted twice, and guessing is slow. */
export async function verifyFactor(
  ctx: Ctx,
  userId: number,
  { code, passkey, purpose }: FactorAnswer & { purpose: PasskeyPurpose },
): Promise<FactorMethod> {
  if (!code && !passkey) throw errors.security.answerNeeded()
  const attempts = `factor:${userId}`
  await countAttempt(ctx, attempts, { free: 5, maxDelayMs: 15 * 60_000 })
  const method = passkey ? await byPasskey(ctx, userId, passkey, purpose) : await byCode(ctx, userId, code)
  await resetAttempts(ctx, [attempts])
  return method
}

async function byPasskey(ctx: Ctx, userId: number, answer: string, purpose: PasskeyPurpose): Promise<FactorMethod> {
  await verifyPasskey(ctx, answer, { purpose, userId })
  return 'passkey'
}

async function byCode(ctx: Ctx, userId: number, code: string): Promise<FactorMethod> {
  const digits = code.normalize('NFKC').replaceAll(/\s/g, '')
  if (/^\d{6}$/.test(digits)) {
    if (await useTotp(ctx, userId, digits)) return 'totp'
  } else if (await useRecoveryCode(ctx, userId, code)) return 'recovery'
  throw errors.security.codeWrong()
}

async function useTotp(ctx: Ctx, userId: number, code: string): Promise<boolean> {
  const row = await findSecurity(ctx.db, userId)
  if (!row || row.totp_enabled_at === null) return false
  const secret = decryptTotpSecret(ctx.cipher, userId, row.totp_secret)
  if (secret === undefined) throw errors.security.unreadable()
  const step = findStep(fromBase32(secret), code, ctx.now())
  if (step === undefined) return false
  const { numUpdatedRows } = await ctx.db
    .updateTable('account_security')
    .set({ totp_last_step: step })
    .where('user_id', '=', userId)
    .where('totp_last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
