import type { Ctx } from '#server/context.ts'
import { findUser } from '../users.queries.ts'

/** The ways in which an account can be entered. Whoever removes one makes sure that another is left. */
export type WayIn = 'password' | 'email' | 'mobile' | 'oauth' | 'passkey'

/** Whether the member could still log in without this way. */
export async function hasOtherWayIn(ctx: Ctx, userId: number, without: WayIn): Promise<boolean> {
  const ways = await findWaysIn(ctx, userId)
  return ways.some((way) => way !== without)
}

async function findWaysIn(ctx: Ctx, userId: number): Promise<WayIn[]> {
  const user = await findUser(ctx.db, userId)
  const ways: WayIn[] = []
  // A verified address also gets a link by which a password is set.
  if (user?.password) ways.push('password')
  if (user?.email_verified_at != null) ways.push('email')
  // By a code; its number with a password is a way only if there is a password.
  if (ctx.settings.sms.enable && user && user.mobile_verified_at !== null) ways.push('mobile')
  return ways
}
