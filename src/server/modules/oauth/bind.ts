import type { oauth } from '#shared/contract/oauth.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { CodeScene } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { isReservedName } from '#shared/names.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { assertStrongPassword, hashPassword } from '#server/modules/auth/passwords.ts'
import { useCode } from '#server/modules/auth/verification-codes.ts'
import { emailTarget } from '#server/modules/users/sign-in/email-codes.ts'
import { proveCredentials } from '#server/modules/users/sign-in/login.ts'
import {
  assertRegistrationOpen,
  countRegistration,
  createAccount,
  enterNewAccount,
  type OnRegistered,
} from '#server/modules/users/sign-in/register.ts'
import { signIn } from '#server/modules/users/sign-in/sign-in.ts'
import { acceptableName, assertNameFree } from '#server/modules/users/users.names.ts'
import { emailKey, type UserRow } from '#server/modules/users/users.queries.ts'
import { bindPerson, findBinding } from './bindings.ts'
import { confirmScan } from './scan.ts'
import { getTicket, useTicket } from './tickets.ts'

type BindInput = Input<typeof oauth.bind>
type BindReply = Reply<typeof oauth.bind>

/**
 * Binds what the ticket stands for: to the caller; or to the member whose name and password are given; or to a new member.
 * The openid that clients send back is ignored.
 */
export async function bindTicket(ctx: Ctx, input: BindInput, onRegistered: OnRegistered): Promise<BindReply> {
  if (ctx.viewer.id > 0) {
    await bindTo(ctx, ctx.viewer.id, input.session)
    return {}
  }
  // Before a password is tried, or a code used up, for nothing.
  const person = await getTicket(ctx, input.session)
  if (await findBinding(ctx, person)) throw errors.oauth.boundToOther()
  if (input.register) return registerWithTicket(ctx, input, { verifiedEmail: person.email, onRegistered })
  if (input.username === '') throw errors.access.loginNeeded()
  return enter(ctx, await proveCredentials(ctx, input), input.session)
}

/** All or nothing: no session without the binding, and no binding for a log-in that still lacks something. */
function enter(ctx: Ctx, user: UserRow, session: string): Promise<BindReply> {
  return transaction(ctx, async (ctx) => {
    const signedIn = await signIn(ctx, user, { way: 'password' })
    if (signedIn.token) await bindTo(ctx, user.id, session)
    return signedIn
  })
}

function bindTo(ctx: Ctx, userId: number, session: string): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { scene, ...person } = await useTicket(ctx, session)
    await bindPerson(ctx, userId, person)
    if (scene) await confirmScan(ctx, scene, userId)
  })
}

interface Registration {
  /** The provider says that the person receives mail there. */
  verifiedEmail: string
  onRegistered: OnRegistered
}

/** The provider's log-in takes the place of the captcha; a password is not needed. */
async function registerWithTicket(
  ctx: Ctx,
  input: BindInput,
  { verifiedEmail, onRegistered }: Registration,
): Promise<BindReply> {
  const { security } = ctx.settings
  assertRegistrationOpen(ctx)
  await countRegistration(ctx)
  const { username, email } = input
  await assertNameFree(ctx, acceptableName(username))
  if (isReservedName(username)) throw errors.users.nameReserved()
  if (input.password) assertStrongPassword(ctx, input.password, { username, email })
  const isProven = email !== '' && emailKey(email) === emailKey(verifiedEmail)
  if (security.enable_verify_register_email && !isProven) {
    if (email === '') throw errors.oauth.emailNeeded()
    await useCode(ctx, emailTarget(email, CodeScene.Register), input.code)
  }
  const isVerified = isProven || security.enable_verify_register_email
  const password = input.password && (await hashPassword(input.password))
  return transaction(ctx, async (ctx) => {
    const user = await createAccount(ctx, { username, email, password, isVerified }, onRegistered)
    await bindTo(ctx, user.id, input.session)
    return enterNewAccount(ctx, user, 'oauth')
  })
}
