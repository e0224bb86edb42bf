import type { users } from '#shared/contract/users.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { toNetwork } from '#server/http/server/network.ts'
import { countAttempt, countFailure, hasFailed, resetAttempts, uncountAttempt } from '#server/modules/auth/attempts.ts'
import { checkCaptcha } from '#server/modules/auth/captcha.ts'
import { passwordMatches } from '#server/modules/auth/passwords.ts'
import { findUserByLogin, loginKey, type UserRow } from '../users.queries.ts'
import { signIn } from './sign-in.ts'

const minute = 60_000
const failureWindowMs = 30 * minute

export async function login(ctx: Ctx, input: Input<typeof users.login>): Promise<Reply<typeof users.login>> {
  return signIn(ctx, await proveCredentials(ctx, input), { way: 'password' })
}

/** Whose name and password these are. */
export async function proveCredentials(ctx: Ctx, input: Input<typeof users.login>): Promise<UserRow> {
  // An answer is checked also where none was asked for: older clients show the captcha with every login.
  if (input.captcha !== '' || (await needsCaptcha(ctx, input))) await checkCaptcha(ctx, 'login', input)
  return authenticate(ctx, input)
}

/** After a number of failures of this name or from this network; always if the number is 0. */
async function needsCaptcha(ctx: Ctx, { username }: Input<typeof users.login>): Promise<boolean> {
  const { captcha_after_failures: times } = ctx.settings.security
  return times === 0 || hasFailed(ctx, Object.values(failureKeys(ctx, username)), times)
}

function failureKeys({ origin }: Ctx, username: string): { ofName: string; ofNetwork: string } {
  return { ofName: `login-failed:${loginKey(username)}`, ofNetwork: `login-failed-from:${origin.network}` }
}

/**
 * Guessing is throttled in three ways: strictly per name and network, mildly per name (except for networks where the owner
 * has a session, so that an attacker cannot lock the owner out), and strictly per network. Unknown names are treated the
 * same. A name, an e-mail address and a number are counted apart: a common count would tell that they belong together.
 */
async function authenticate(ctx: Ctx, { username, password }: Input<typeof users.login>): Promise<UserRow> {
  const name = loginKey(username)
  const nameHere = `login-here:${ctx.origin.network}:${name}`
  const address = `login-from:${ctx.origin.network}`
  const user = await findUserByLogin(ctx.db, username)
  await countAttempt(ctx, nameHere, { free: 5, maxDelayMs: 15 * minute })
  if (!(await hasSessionHere(ctx, user))) await countAttempt(ctx, `login:${name}`, { free: 30, maxDelayMs: minute / 2 })
  await countAttempt(ctx, address, { free: 50, maxDelayMs: 15 * minute })
  const failures = failureKeys(ctx, username)
  if (!(await passwordMatches(user?.password, password)) || !user) {
    for (const key of Object.values(failures)) await countFailure(ctx, key, failureWindowMs)
    throw errors.users.wrongCredentials()
  }
  await resetAttempts(ctx, [nameHere, `login:${name}`, failures.ofName])
  // Many users may share a network: only wrong passwords count there.
  await uncountAttempt(ctx, address)
  return user
}

async function hasSessionHere(ctx: Ctx, user: UserRow | undefined): Promise<boolean> {
  const sessions = await ctx.db
    .selectFrom('session')
    .select('ip')
    .where('user_id', '=', user?.id ?? 0)
    .where('expires_at', '>', ctx.now())
    .execute()
  return sessions.some(({ ip }) => toNetwork(ip) === ctx.origin.network)
}
