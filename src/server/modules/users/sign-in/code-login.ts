import type { codeSignIn } from '#shared/contract/code-sign-in.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { CodeScene } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { proveCode, spendCode, useCode } from '#server/modules/auth/verification-codes.ts'
import { assertSmsEnabled, mobileTarget } from '#server/modules/sms/send-sms.ts'
import { findUserByEmail, findUserByMobile } from '../users.queries.ts'
import { registerHolder } from './code-register.ts'
import { emailTarget } from './email-codes.ts'
import { assertRegistrationOpen, countRegistration, type OnRegistered } from './register.ts'
import { signIn } from './sign-in.ts'

type SignedIn = Reply<typeof codeSignIn.loginByMobile>

/** The holder of a number without an account has just proven to be that, and gets one where registration is open. */
export async function loginByMobile(
  ctx: Ctx,
  input: Input<typeof codeSignIn.loginByMobile>,
  onRegistered: OnRegistered,
): Promise<SignedIn> {
  assertSmsEnabled(ctx.settings)
  const proof = await proveCode(ctx, mobileTarget(input.mobile, CodeScene.Login), input.code)
  const user = await findUserByMobile(ctx.db, input.mobile)
  if (!user) {
    assertRegistrationOpen(ctx)
    await countRegistration(ctx)
    return registerHolder(ctx, { mobile: input.mobile, proof }, onRegistered)
  }
  await spendCode(ctx, proof)
  return signIn(ctx, user, { way: 'mobile' })
}

/** Codes for a login go to proven addresses only. */
export async function loginByEmail(ctx: Ctx, input: Input<typeof codeSignIn.loginByEmail>): Promise<SignedIn> {
  if (!ctx.settings.email.enable_login) throw errors.users.emailLoginOff()
  await useCode(ctx, emailTarget(input.email, CodeScene.Login), input.code)
  const user = await findUserByEmail(ctx.db, input.email)
  // The address may have been given to another account meanwhile.
  if (!user) throw errors.users.codeWrong()
  return signIn(ctx, user, { way: 'email' })
}
