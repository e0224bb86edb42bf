import type { users } from '#shared/contract/users.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { nameKey } from '#shared/names.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { networkOf } from '#server/http/server/network.ts'
import { countAttempt, forgetAttempts, uncountAttempt } from '#server/modules/auth/attempts.ts'
import { checkCaptcha } from '#server/modules/auth/captcha.ts'
import { openSession } from '#server/modules/auth/sessions.ts'
import { loadViewer } from '#server/modules/access/access.viewer.ts'
import { passwordMatches } from '#server/modules/auth/passwords.ts'
import { ownUser } from '../users.present.ts'
import { findUserByName, type UserRow } from '../users.queries.ts'

const minute = 60_000

export async function login(ctx: Ctx, input: Input<typeof users.login>): Promise<Reply<typeof users.login>> {
  await checkCaptcha(ctx, 'login', input)
  return signIn(ctx, await authenticate(ctx, input))
}

/** Opens a session for somebody who has proved who they are, unless the password was changed or the account disabled meanwhile. */
function signIn(ctx: Ctx, user: UserRow): Promise<Reply<typeof users.login>> {
  return transaction(ctx, async (ctx) => {
    const seen = { login_at: ctx.now(), last_login_ip: ctx.origin.ip }
    const { numUpdatedRows } = await ctx.db
      .updateTable('user')
      .set(seen)
      .where('id', '=', user.id)
      .where('password', '=', user.password)
      .executeTakeFirst()
    if (!numUpdatedRows) throw errors.users.wrongCredentials()
    const viewer = await loadViewer(ctx, { ...user, sessionId: 0 })
    const disabled = viewer.punished(1)
    if (disabled) throw errors.punishments.active(disabled)
    return { token: await openSession(ctx, user.id), user: await ownUser(ctx.db, { ...user, ...seen }) }
  })
}

/**
 * Guessing is slowed three ways: hard for one name from one network, gently for one name from everywhere (save where
 * its owner is logged in already: they must still get in), and hard for one network over all names. Names that do not
 * exist are treated the same.
 */
async function authenticate(ctx: Ctx, { username, password }: Input<typeof users.login>): Promise<UserRow> {
  const name = nameKey(username)
  const mine = `login-here:${ctx.origin.network}:${name}`
  const address = `login-from:${ctx.origin.network}`
  const user = await findUserByName(ctx.db, username)
  await countAttempt(ctx, mine, { free: 5, longestMs: 15 * minute })
  if (!(await isAtHome(ctx, user))) await countAttempt(ctx, `login:${name}`, { free: 30, longestMs: minute / 2 })
  await countAttempt(ctx, address, { free: 50, longestMs: 15 * minute })
  if (!(await passwordMatches(user?.password, password)) || !user) throw errors.users.wrongCredentials()
  await forgetAttempts(ctx, [mine, `login:${name}`])
  // Many people may share one address: only wrong passwords add up there.
  await uncountAttempt(ctx, address)
  return user
}

async function isAtHome(ctx: Ctx, user: UserRow | undefined): Promise<boolean> {
  const sessions = await ctx.db
    .selectFrom('session')
    .select('ip')
    .where('user_id', '=', user?.id ?? 0)
    .where('expires_at', '>', ctx.now())
    .execute()
  return sessions.some(({ ip }) => networkOf(ip) === ctx.origin.network)
}
