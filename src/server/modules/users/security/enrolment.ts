import { randomBytes } from 'node:crypto'
import type { secondFactor } from '#shared/contract/account-security.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { countAttempt, resetAttempts } from '#server/modules/auth/attempts.ts'
import {
  countPasskeys,
  countRecoveryCodes,
  decryptTotpSecret,
  encryptTotpSecret,
  findSecurity,
  getSecurity,
  isEnrolled,
  setSecurity,
} from '#server/modules/auth/second-factor/account-security.ts'
import { makeRecoveryCodes } from '#server/modules/auth/second-factor/recovery-codes.ts'
import { findStep, fromBase32, secretLength, toBase32, toUri } from '#server/modules/auth/second-factor/totp.ts'
import { owesSecondFactor } from '#server/proof.ts'
import { findUser } from '../users.queries.ts'

export async function describeSecurity(ctx: MemberCtx): Promise<Reply<typeof secondFactor.get>> {
  const { id, secondFactorDueAt: dueAt } = ctx.viewer
  const [row, user, codes, passkeys] = await Promise.all([
    findSecurity(ctx.db, id),
    findUser(ctx.db, id),
    countRecoveryCodes(ctx.db, id),
    countPasskeys(ctx.db, id),
  ])
  return {
    enabled: row !== undefined && isEnrolled(row),
    totp: row !== undefined && row.totp_enabled_at !== null,
    passkey: row?.passkey_second === 1,
    recovery_count: codes,
    has_password: Boolean(user?.password),
    passkey_count: passkeys,
    due_at: dueAt || null,
    owed: owesSecondFactor(ctx),
    mails_new_devices: row?.mails_new_devices !== 0,
    email: user?.email ?? '',
  }
}

/** A new secret, which counts once the member has entered a code of it. */
export async function beginTotp(ctx: MemberCtx): Promise<Reply<typeof secondFactor.begin>> {
  const { id, username } = ctx.viewer
  const secret = toBase32(randomBytes(secretLength))
  await setSecurity(ctx.db, id, { totp_pending: encryptTotpSecret(ctx.cipher, id, secret) })
  return { secret, uri: toUri({ secret, issuer: ctx.settings.system.sitename, account: username }) }
}

/** Recovery codes are made with the first factor; a second one keeps them. */
export async function confirmTotp(
  ctx: MemberCtx,
  { code }: Input<typeof secondFactor.confirm>,
): Promise<Reply<typeof secondFactor.confirm>> {
  const { id } = ctx.viewer
  const attempts = `factor:${id}`
  await countAttempt(ctx, attempts, { free: 5, maxDelayMs: 15 * 60_000 })
  const { totp_pending } = await getSecurity(ctx.db, id)
  const secret = totp_pending && decryptTotpSecret(ctx.cipher, id, totp_pending)
  if (!secret) throw errors.security.notBegun()
  const step = findStep(fromBase32(secret), code.normalize('NFKC').replaceAll(/\s/g, ''), ctx.now())
  if (step === undefined) throw errors.security.codeWrong()
  await resetAttempts(ctx, [attempts])
  return transaction(ctx, async (ctx) => {
    await setSecurity(ctx.db, id, {
      totp_secret: totp_pending,
      totp_pending: '',
      totp_enabled_at: ctx.now(),
      totp_last_step: step,
      demanded_at: null,
    })
    return { recovery_code: await firstRecoveryCodes(ctx, id) }
  })
}

export function removeTotp(ctx: MemberCtx): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { id } = ctx.viewer
    const row = await findSecurity(ctx.db, id)
    if (!row || row.totp_enabled_at === null) throw errors.security.off()
    const left = { totp_enabled_at: null, passkey_second: row.passkey_second }
    assertMayLeave(ctx, left)
    await setSecurity(ctx.db, id, { ...left, totp_secret: '', totp_pending: '' })
    await dropUselessCodes(ctx, left)
  })
}

export function setPasskeyAsFactor(
  ctx: MemberCtx,
  { enable }: Input<typeof secondFactor.setPasskey>,
): Promise<Reply<typeof secondFactor.setPasskey>> {
  return transaction(ctx, async (ctx) => {
    const { id } = ctx.viewer
    const { totp_enabled_at } = await getSecurity(ctx.db, id)
    if (enable && (await countPasskeys(ctx.db, id)) === 0) throw errors.security.passkeyNeeded()
    const left = { totp_enabled_at, passkey_second: enable ? (1 as const) : (0 as const) }
    assertMayLeave(ctx, left)
    await setSecurity(ctx.db, id, { ...left, ...(enable && { demanded_at: null }) })
    await dropUselessCodes(ctx, left)
    return { recovery_code: enable ? await firstRecoveryCodes(ctx, id) : [] }
  })
}

export function renewRecoveryCodes(ctx: MemberCtx): Promise<Reply<typeof secondFactor.renewRecoveryCodes>> {
  return transaction(ctx, async (ctx) => {
    if (!ctx.viewer.hasSecondFactor) throw errors.security.off()
    return { recovery_code: await makeRecoveryCodes(ctx, ctx.viewer.id) }
  })
}

export async function setNewDeviceMails(
  ctx: MemberCtx,
  { enable }: Input<typeof secondFactor.setMails>,
): Promise<void> {
  await setSecurity(ctx.db, ctx.viewer.id, { mails_new_devices: enable ? 1 : 0 })
}

type Left = Parameters<typeof isEnrolled>[0]

/** Staff of whom it is demanded keep a second factor. */
function assertMayLeave({ settings, viewer }: Ctx, left: Left): void {
  if (settings.security.staff_second_factor && viewer.isStaff && !isEnrolled(left)) throw errors.security.demanded()
}

async function dropUselessCodes(ctx: Ctx, left: Left): Promise<void> {
  if (!isEnrolled(left)) await ctx.db.deleteFrom('recovery_code').where('user_id', '=', ctx.viewer.id).execute()
}

async function firstRecoveryCodes(ctx: Ctx, userId: number): Promise<string[]> {
  return (await countRecoveryCodes(ctx.db, userId)) > 0 ? [] : makeRecoveryCodes(ctx, userId)
}
