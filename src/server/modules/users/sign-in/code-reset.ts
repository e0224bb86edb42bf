import type { codeSignIn } from '#shared/contract/code-sign-in.ts'
import type { Input } from '#shared/endpoint.ts'
import { CodeScene } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { assertStrongPassword, hashPassword } from '#server/modules/auth/passwords.ts'
import { endUserSessions } from '#server/modules/auth/sessions.ts'
import { type ProvenCode, proveCode, spendCode } from '#server/modules/auth/verification-codes.ts'
import { assertSmsEnabled, mobileTarget } from '#server/modules/sms/send-sms.ts'
import { findUserByEmail, findUserByMobile, setPassword, type UserRow } from '../users.queries.ts'
import { emailTarget } from './email-codes.ts'

export async function resetByMobile(ctx: Ctx, input: Input<typeof codeSignIn.resetByMobile>): Promise<void> {
  assertSmsEnabled(ctx.settings)
  const proof = await proveCode(ctx, mobileTarget(input.mobile, CodeScene.FindPassword), input.code)
  const user = await findUserByMobile(ctx.db, input.mobile)
  if (!user) throw errors.users.mobileUnknown()
  await setNewPassword(ctx, user, input.password, proof)
}

/** The code was mailed to the address, which is thereby proven. */
export async function resetByEmail(ctx: Ctx, input: Input<typeof codeSignIn.resetByEmail>): Promise<void> {
  const proof = await proveCode(ctx, emailTarget(input.email, CodeScene.FindPassword), input.code)
  const user = await findUserByEmail(ctx.db, input.email)
  if (!user) throw errors.users.codeWrong()
  await setNewPassword(ctx, user, input.password, proof, { email_verified_at: ctx.now() })
}

async function setNewPassword(
  ctx: Ctx,
  user: UserRow,
  text: string,
  proof: ProvenCode,
  verified?: Pick<UserRow, 'email_verified_at'>,
): Promise<void> {
  // Before the code is used up, so that it stays valid for a better password.
  assertStrongPassword(ctx, text, user)
  const password = await hashPassword(text)
  await transaction(ctx, async (ctx) => {
    await spendCode(ctx, proof)
    await setPassword(ctx.db, user.id, password, ctx.now())
    if (verified) await ctx.db.updateTable('user').set(verified).where('id', '=', user.id).execute()
    await endUserSessions(ctx.db, [user.id])
  })
}
