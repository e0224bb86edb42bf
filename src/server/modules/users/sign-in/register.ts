import type { users } from '#shared/contract/users.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { CodeScene } from '#shared/enums.ts'
import { isReservedName, nameKey } from '#shared/names.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { isTaken } from '#server/db/conflicts.ts'
import { countAttempt } from '#server/modules/auth/attempts.ts'
import { checkCaptcha } from '#server/modules/auth/captcha.ts'
import { openSession } from '#server/modules/auth/sessions.ts'
import { findDefaultGroup } from '#server/modules/access/groups.queries.ts'
import { useCode } from '#server/modules/auth/verification-codes.ts'
import { emailTarget } from './email-codes.ts'
import type { WayIn } from './ways-in.ts'
import { assertStrongPassword, hashPassword } from '#server/modules/auth/passwords.ts'
import { acceptableName, assertNameFree } from '../users.names.ts'
import { noteDevice } from '../security/new-device.ts'
import { ownUser } from '../users.present.ts'
import { emailKey, findUser, setGroups, type UserRow } from '../users.queries.ts'

/** Called in the transaction of the registration: what the new member is given is in the reply. */
export type OnRegistered = (ctx: Ctx, userId: number) => Promise<void>

export async function register(
  ctx: Ctx,
  input: Input<typeof users.register>,
  onRegistered: OnRegistered,
): Promise<Reply<typeof users.register>> {
  assertRegistrationOpen(ctx)
  await checkCaptcha(ctx, 'register', input)
  await countRegistration(ctx)
  await assertNameFree(ctx, acceptableName(input.username))
  if (isReservedName(input.username)) throw errors.users.nameReserved()
  assertStrongPassword(ctx, input.password, input)
  const isVerified = ctx.settings.security.enable_verify_register_email
  if (isVerified) await useCode(ctx, emailTarget(input.email, CodeScene.Register), input.code)

  const password = await hashPassword(input.password)
  return transaction(ctx, async (ctx) => {
    const user = await createAccount(ctx, { ...input, isVerified, password }, onRegistered)
    return enterNewAccount(ctx, user, 'password')
  })
}

export function assertRegistrationOpen({ settings: { security } }: Ctx): void {
  if (security.is_close) throw errors.users.siteClosed()
  if (!security.enable_register) throw errors.users.registerClosed()
}

export function countRegistration(ctx: Ctx): Promise<void> {
  return countAttempt(ctx, `register:${ctx.origin.network}`, { free: 60, maxDelayMs: 10 * 60_000 })
}

/** A member of the default group, in the caller's transaction. */
export async function createAccount(
  ctx: Ctx,
  newUser: Omit<NewUser, 'groupIds'>,
  onRegistered: OnRegistered,
): Promise<UserRow> {
  const group = await findDefaultGroup(ctx.db)
  if (!group) throw errors.users.noDefaultGroup()
  const row = await addUser(ctx, { ...newUser, groupIds: [group.id] })
  await onRegistered(ctx, row.id)
  return (await findUser(ctx.db, row.id)) ?? row
}

export async function enterNewAccount(ctx: Ctx, user: UserRow, way: WayIn): Promise<Reply<typeof users.register>> {
  await noteDevice(ctx, user)
  return { token: await openSession(ctx, user.id, { way }), user: await ownUser(ctx, user) }
}

interface NewUser {
  username: string
  /** Already hashed. */
  password: string
  email: string
  /** The member has shown to receive mail at the address. */
  isVerified?: boolean
  /** The member has shown to hold the number. */
  mobile?: string
  groupIds: readonly number[]
}

/** The name must be free, and an address or a number that was proven too; the unique indexes decide. */
export async function addUser(ctx: Ctx, newUser: NewUser): Promise<UserRow> {
  const { username, password, email, isVerified = false, mobile = '', groupIds } = newUser
  const now = ctx.now()
  const name = acceptableName(username)
  try {
    const row = await ctx.db
      .insertInto('user')
      .values({
        username: name,
        username_key: nameKey(name),
        password,
        email,
        email_key: emailKey(email),
        email_verified_at: isVerified ? now : null,
        mobile,
        mobile_verified_at: mobile ? now : null,
        register_ip: ctx.origin.ip,
        login_at: null,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await setGroups(ctx.db, row.id, groupIds)
    return row
  } catch (error) {
    if (isTaken(error, 'mobile')) throw errors.users.mobileRegistered()
    if (isTaken(error, 'email_key')) throw errors.users.emailTaken()
    throw isTaken(error) ? errors.users.nameTaken() : error
  }
}
