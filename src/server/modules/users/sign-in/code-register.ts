import { randomInt } from 'node:crypto'
import type { codeSignIn } from '#shared/contract/code-sign-in.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { CodeScene } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { assertStrongPassword, hashPassword } from '#server/modules/auth/passwords.ts'
import { proveCode, type ProvenCode, spendCode } from '#server/modules/auth/verification-codes.ts'
import { assertSmsEnabled, mobileTarget } from '#server/modules/sms/send-sms.ts'
import { findUserByMobile } from '../users.queries.ts'
import {
  assertRegistrationOpen,
  countRegistration,
  createAccount,
  enterNewAccount,
  type OnRegistered,
} from './register.ts'

/** Registers the holder of a number, with a name that the member may change. Without a password codes are the way in. */
export async function registerByMobile(
  ctx: Ctx,
  { mobile, code, password }: Input<typeof codeSignIn.registerByMobile>,
  onRegistered: OnRegistered,
): Promise<Reply<typeof codeSignIn.registerByMobile>> {
  assertRegistrationOpen(ctx)
  assertSmsEnabled(ctx.settings)
  const username = randomName()
  if (password) assertStrongPassword(ctx, password, { username, email: mobile })
  await countRegistration(ctx)
  const proof = await proveCode(ctx, mobileTarget(mobile, CodeScene.Register), code)
  if (await findUserByMobile(ctx.db, mobile)) throw errors.users.mobileRegistered()
  return registerHolder(ctx, { mobile, proof, username, password }, onRegistered)
}

/** Registers a visitor who has proven to hold a number that has no account. */
export async function registerHolder(
  ctx: Ctx,
  { mobile, proof, username = randomName(), password = '' }: Holder,
  onRegistered: OnRegistered,
): Promise<Reply<typeof codeSignIn.registerByMobile>> {
  const hashed = password ? await hashPassword(password) : ''
  return transaction(ctx, async (ctx) => {
    await spendCode(ctx, proof)
    const user = await createAccount(ctx, { username, password: hashed, email: '', mobile }, onRegistered)
    return enterNewAccount(ctx, user, 'mobile')
  })
}

interface Holder {
  mobile: string
  proof: ProvenCode
  username?: string
  password?: string
}

/** Without the number. No two characters look alike, so that so many names are all different. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

function randomName(): string {
  const tail = Array.from({ length: 10 }, () => letters[randomInt(letters.length)])
  return `用户${tail.join('')}`
}
