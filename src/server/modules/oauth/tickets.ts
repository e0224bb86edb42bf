import { randomBytes } from 'node:crypto'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { oauthTitle } from '#server/gateways/oauth/providers.ts'
import { fingerprint } from '#server/keys.ts'
import type { KnownPerson } from './bindings.ts'

/** Stands for a person who has proven to be known by a provider. Its holder binds that account to one of ours, once. */

const lifeMs = 10 * 60_000

export interface NewPerson extends KnownPerson {
  /** Empty unless the provider has verified it. */
  email: string
}

/** Also remembers the web page that waits for this log-in, by the scene of its code. */
export async function issueTicket(ctx: Ctx, person: NewPerson, scene = '') {
  const session = randomBytes(32).toString('base64url')
  const { type, issuer, openid, unionid, name, avatar, email } = person
  await ctx.db
    .insertInto('oauth_ticket')
    .values({
      hash: fingerprint(session),
      type,
      issuer,
      openid,
      unionid,
      name: name.slice(0, 100),
      avatar: avatar.slice(0, 500),
      email,
      scene,
      expires_at: ctx.now() + lifeMs,
    })
    .execute()
  return { oauth_type: type, openid, session, title: oauthTitle(ctx.settings, type), name: name.slice(0, 100), email }
}

export async function getTicket(ctx: Ctx, session: string): Promise<NewPerson> {
  const row = await ctx.db
    .selectFrom('oauth_ticket')
    .selectAll()
    .where('hash', '=', fingerprint(session))
    .where('expires_at', '>', ctx.now())
    .executeTakeFirst()
  if (!row) throw errors.oauth.ticketWrong()
  return row
}

/** In the transaction that binds the account: if that fails, the ticket stays good. */
export async function useTicket(ctx: Ctx, session: string): Promise<NewPerson & { scene: string }> {
  const row = await ctx.db
    .deleteFrom('oauth_ticket')
    .where('hash', '=', fingerprint(session))
    .where('expires_at', '>', ctx.now())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw errors.oauth.ticketWrong()
  return row
}
