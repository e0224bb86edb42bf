import type { Ctx } from '#server/context.ts'
import { enabledOauthTypes } from '#server/gateways/oauth/providers.ts'
import { countPasskeys } from '#server/modules/auth/second-factor/account-security.ts'
import { findUser } from '../users.queries.ts'

/** The ways in which an account can be entered. The caller who removes one makes sure that another is left. */
export type WayIn = 'password' | 'email' | 'mobile' | 'oauth' | 'passkey'

/** Whether the member could still log in without this way. */
export async function hasOtherWayIn(ctx: Ctx, userId: number, without: WayIn): Promise<boolean> {
  const ways = await findWaysIn(ctx, userId)
  return ways.some((way) => way !== without)
}

async function findWaysIn(ctx: Ctx, userId: number): Promise<WayIn[]> {
  const user = await findUser(ctx.db, userId)
  const ways: WayIn[] = []
  if (!user) return ways
  if (user.password !== '') ways.push('password')
  // A verified address gets a link by which a password is set.
  if (user.email_verified_at !== null) ways.push('email')
  if (user.mobile_verified_at !== null && ctx.settings.sms.enable) ways.push('mobile')
  if (await hasOauthBinding(ctx, userId)) ways.push('oauth')
  if ((await countPasskeys(ctx.db, userId)) > 0) ways.push('passkey')
  return ways
}

/** An account of a provider that the owner has switched off opens nothing. */
async function hasOauthBinding(ctx: Ctx, userId: number): Promise<boolean> {
  const types = enabledOauthTypes(ctx.settings)
  if (types.length === 0) return false
  const row = await ctx.db
    .selectFrom('oauth_binding')
    .select('id')
    .where('user_id', '=', userId)
    .where('type', 'in', types)
    .executeTakeFirst()
  return row !== undefined
}
