import type { oauth } from '#shared/contract/oauth.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { enabledOauthTypes } from '#server/gateways/oauth/providers.ts'
import { loadViewer } from '#server/modules/access/access.viewer.ts'
import { signIn } from '#server/modules/users/sign-in/sign-in.ts'
import { findUser, findUserByEmail, type UserRow } from '#server/modules/users/users.queries.ts'
import { askProvider } from './ask-provider.ts'
import { getProvider, redirectUriOf, useState } from './begin.ts'
import { bindPerson, findBinding } from './bindings.ts'
import { issueTicket, type NewPerson } from './tickets.ts'

/** A browser is back from a provider: to log in, or to bind the account that was proven there. */
export async function loginWithOauth(
  ctx: Ctx,
  { type, code, state, iss }: Input<typeof oauth.login>,
): Promise<Reply<typeof oauth.login>> {
  const provider = getProvider(ctx, type)
  const { intent, user_id, redirect, nonce, codeVerifier } = await useState(ctx, { type, state })
  if (intent === 'bind' && user_id !== ctx.viewer.id) throw errors.oauth.stateWrong()
  const callback = { code, state, iss, nonce, codeVerifier, redirectUri: redirectUriOf(ctx, type) }
  const person = { type, ...(await askProvider(ctx, type, () => provider.identify(callback))) }
  if (intent === 'bind') {
    await bindPerson(ctx, user_id, person)
    return { is_bound: true, redirect }
  }
  const user = await findMember(ctx, person)
  if (user) return { ...(await signIn(ctx, user, { way: 'oauth' })), is_bound: false, redirect }
  return { oauth: await issueTicket(ctx, person), is_bound: false, redirect }
}

/** Who logs in with this account, if anyone does. */
export function findMember(ctx: Ctx, person: NewPerson): Promise<UserRow | undefined> {
  if (!enabledOauthTypes(ctx.settings).includes(person.type)) throw errors.oauth.off()
  return transaction(ctx, async (ctx) => {
    const binding = await findBinding(ctx, person)
    const user = binding ? await findUser(ctx.db, binding.user_id) : await findByEmail(ctx, person)
    // Keeps the name current, and adds the name by which another app of the same provider knows the member.
    if (user) await bindPerson(ctx, user.id, person)
    return user
  })
}

/**
 * The member with the same address, if both sides have verified it. Never a member of staff: the owner of the provider would
 * rule the site. Nor one who has bound another account of this provider.
 */
async function findByEmail(ctx: Ctx, { type, email }: NewPerson): Promise<UserRow | undefined> {
  const user = email ? await findUserByEmail(ctx.db, email) : undefined
  if (!user) return undefined
  const { isStaff } = await loadViewer(ctx, { ...user, sessionId: 0 })
  if (isStaff) return undefined
  const bound = ctx.db.selectFrom('oauth_binding').select('id').where('user_id', '=', user.id).where('type', '=', type)
  return (await bound.executeTakeFirst()) ? undefined : user
}
