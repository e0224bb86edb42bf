import { describeDevice } from '#shared/device.ts'
import { formatTime } from '#shared/format.ts'
import type { Ctx } from '#server/context.ts'
import { fingerprint } from '#server/keys.ts'
import { findSecurity } from '#server/modules/auth/second-factor/account-security.ts'
import { enqueueMail, pageLink } from '#server/modules/mail/mail.service.ts'
import type { UserRow } from '../users.queries.ts'
import { describePlace } from './place.ts'

const dayMs = 86_400_000
const rememberMs = 365 * dayMs
const mailLifeMs = dayMs

/** Remembers where a member logs in, and tells the member by mail of a device or network that is new; not of the first. */
export async function noteDevice(ctx: Ctx, user: Pick<UserRow, 'id' | 'username' | 'email'>): Promise<void> {
  const device = fingerprint(`${withoutVersions(ctx.origin.userAgent)} ${ctx.origin.network}`)
  const known = await ctx.db.selectFrom('known_device').select('device').where('user_id', '=', user.id).execute()
  await ctx.db
    .insertInto('known_device')
    .values({ user_id: user.id, device, seen_at: ctx.now() })
    .onConflict((conflict) => conflict.columns(['user_id', 'device']).doUpdateSet({ seen_at: ctx.now() }))
    .execute()
  if (known.length > 0 && !known.some((other) => other.device === device)) await mailNewDevice(ctx, user)
}

export async function purgeDevices(ctx: Ctx): Promise<void> {
  await ctx.db
    .deleteFrom('known_device')
    .where('seen_at', '<', ctx.now() - rememberMs)
    .execute()
}

async function mailNewDevice(ctx: Ctx, { id, username, email }: Parameters<typeof noteDevice>[1]): Promise<void> {
  const { settings, origin } = ctx
  if (!settings.email.enable || !settings.email.host || !email) return
  const security = await findSecurity(ctx.db, id)
  if (security?.mails_new_devices === 0) return
  const params = {
    username,
    device: describeDevice(origin.userAgent),
    place: describePlace(origin.ip),
    time: formatTime(ctx.now()),
    link: pageLink(ctx, '/me/security'),
  }
  await enqueueMail(ctx, { to: email, template: 'new-device', params, expiresAt: ctx.now() + mailLifeMs })
}

/** A browser that was updated is the same device. */
function withoutVersions(userAgent: string): string {
  return userAgent.replaceAll(/\d+([._]\d+)*/g, '')
}
