import { Punishment } from '#shared/enums.ts'
import type { factorLogins } from '#shared/contract/account-security.ts'
import type { users } from '#shared/contract/users.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors, type FactorMethod } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { fingerprint } from '#server/keys.ts'
import { loadViewer } from '#server/modules/access/access.viewer.ts'
import { makeSignOptions } from '#server/modules/auth/passkeys/verify-passkey.ts'
import { findFactorMethods, findSecurity, isEnrolled } from '#server/modules/auth/second-factor/account-security.ts'
import {
  issueLoginChallenge,
  readLoginChallenge,
  useLoginChallenge,
} from '#server/modules/auth/second-factor/login-challenge.ts'
import { verifyFactor } from '#server/modules/auth/second-factor/verify-factor.ts'
import { openSession } from '#server/modules/auth/sessions.ts'
import { cancelDeletion } from '../deletion-requests.ts'
import { noteDevice } from '../security/new-device.ts'
import { ownUser } from '../users.present.ts'
import { findUser, type UserRow } from '../users.queries.ts'
import type { WayIn } from './ways-in.ts'

/** What the member has proven before. */
interface Proven {
  way: WayIn
  /** The second factor, or a passkey that verified its user, which is both. */
  factor?: FactorMethod
}

/**
 * The end of every way to log in, whatever the member has proven before. Opens a session, unless the password was changed or
 * the account disabled meanwhile. From an account with two-step verification it asks for the second factor, by an error
 * that `completeWithFactor` goes on from.
 */
export function signIn(ctx: Ctx, user: UserRow, { way, factor }: Proven): Promise<Reply<typeof users.login>> {
  return transaction(ctx, async (ctx) => {
    const current = await ctx.db
      .updateTable('user')
      .set({ login_at: ctx.now(), last_login_ip: ctx.origin.ip })
      .where('id', '=', user.id)
      .where('password', '=', user.password)
      .returningAll()
      .executeTakeFirst()
    if (!current || current.deleted_at !== null) throw errors.users.wrongCredentials()
    const viewer = await loadViewer(ctx, { ...current, sessionId: 0 })
    const disabled = viewer.punished(Punishment.Disabled)
    if (disabled) throw errors.punishments.active(disabled)
    if (!factor) await askForFactor(ctx, current, way)
    await cancelDeletion(ctx, current)
    await noteDevice(ctx, current)
    return { token: await openSession(ctx, user.id, { way, factor }), user: await ownUser(ctx, current) }
  })
}

/** The second step of a log-in: what the member answers to the challenge of the first. */
export async function completeWithFactor(
  ctx: Ctx,
  { challenge: token, code, passkey }: Input<typeof factorLogins.complete>,
): Promise<Reply<typeof factorLogins.complete>> {
  const { challenge, user } = await getChallenged(ctx, token)
  const factor = await verifyFactor(ctx, user.id, { code, passkey, purpose: 'second factor' })
  return transaction(ctx, async (ctx) => {
    if (!(await useLoginChallenge(ctx, challenge))) throw errors.security.challengeOver()
    return signIn(ctx, user, { way: challenge.way as WayIn, factor })
  })
}

/** The options for an authenticator that is to be the second step. */
export async function makeSecondStepOptions(
  ctx: Ctx,
  { challenge }: Input<typeof factorLogins.passkeyOptions>,
): Promise<Reply<typeof factorLogins.passkeyOptions>> {
  const { user } = await getChallenged(ctx, challenge)
  return { options: await makeSignOptions(ctx, { purpose: 'second factor', userId: user.id }) }
}

/** The account of a challenge, unless its password was changed since. */
async function getChallenged(ctx: Ctx, token: string) {
  const challenge = await readLoginChallenge(ctx, token)
  const user = challenge && (await findUser(ctx.db, challenge.userId))
  if (!user || fingerprint(user.password) !== challenge.password) throw errors.security.challengeOver()
  return { challenge, user }
}

async function askForFactor(ctx: Ctx, user: UserRow, way: WayIn): Promise<void> {
  const security = await findSecurity(ctx.db, user.id)
  if (!security || !isEnrolled(security)) return
  const id = await issueLoginChallenge(ctx, { user, way })
  throw errors.security.factorNeeded().asking({ id, methods: await findFactorMethods(ctx.db, security) })
}
