import type { codeSignIn } from '#shared/contract/code-sign-in.ts'
import type { Input } from '#shared/endpoint.ts'
import { CodeScene } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { assertStrongPassword, hashPassword } from '#server/modules/auth/passwords.ts'
import { type ProvenCode, proveCode, spendCode } from '#server/modules/auth/verification-codes.ts'
import { assertSmsEnabled, mobileTarget } from '#server/modules/sms/send-sms.ts'
import { findUserByMobile, type UserRow } from '../users.queries.ts'
import { emailTarget, findResettable } from './email-codes.ts'
import { endRecovery, type Recovery } from './end-recovery.ts'

export async function resetByMobile(ctx: Ctx, input: Input<typeof codeSignIn.resetByMobile>): Promise<void> {
  assertSmsEnabled(ctx.settings)
  const proof = await proveCode(ctx, mobileTarget(input.mobile, CodeScene.FindPassword), input.code)
  const user = await findUserByMobile(ctx.db, input.mobile)
  if (!user) throw errors.users.mobileUnknown()
  await setNewPassword(ctx, user, input.password, proof, { isMailed: false })
}

/** The code was mailed to the address, which is thereby proven. */
export async function resetByEmail(ctx: Ctx, input: Input<typeof codeSignIn.resetByEmail>): Promise<void> {
  const proof = await proveCode(ctx, emailTarget(input.email, CodeScene.FindPassword), input.code)
  const user = await findResettable(ctx, input.email)
  if (!user) throw errors.users.codeWrong()
  await setNewPassword(ctx, user, input.password, proof, { isMailed: true })
}

async function setNewPassword(
  ctx: Ctx,
  user: UserRow,
  text: string,
  proof: ProvenCode,
  recovery: Recovery,
): Promise<void> {
  // Before the code is used up, so that it stays valid for a better password.
  assertStrongPassword(ctx, text, user)
  const password = await hashPassword(text)
  await transaction(ctx, async (ctx) => {
    await spendCode(ctx, proof)
    await endRecovery(ctx, user, password, recovery)
  })
}
