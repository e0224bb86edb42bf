import { randomBytes } from 'node:crypto'
import type { OauthIntent, OauthType } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { OauthProvider } from '#server/gateways/oauth/oauth-provider.ts'
import { openOauthProvider } from '#server/gateways/oauth/providers.ts'
import { fingerprint } from '#server/keys.ts'
import { countAttempt } from '#server/modules/auth/attempts.ts'
import { findBrowser, markBrowser } from './browser-cookie.ts'
import { askProvider } from './ask-provider.ts'
import { toReturnPath } from './return-path.ts'

const lifeMs = 10 * 60_000

interface Beginning {
  type: OauthType
  intent: OauthIntent
  redirect: string
}

/** Where the browser goes. What it must come back with is kept here, and is good for this browser, once. */
export async function beginAuthorization(ctx: Ctx, { type, intent, redirect }: Beginning): Promise<string> {
  if (ctx.settings.security.is_close && !ctx.viewer.isStaff) throw errors.access.siteClosed()
  const provider = getProvider(ctx, type)
  await countAttempt(ctx, `oauth:${ctx.origin.network}`, { free: 100, maxDelayMs: 60_000 })
  const authorization = {
    redirectUri: redirectUriOf(ctx, type),
    // WeChat takes letters and digits alone.
    state: randomBytes(32).toString('hex'),
    nonce: randomBytes(32).toString('base64url'),
    codeVerifier: randomBytes(32).toString('base64url'),
  }
  const url = await askProvider(ctx, type, () => provider.authorizeUrl(authorization))
  await ctx.db
    .insertInto('oauth_state')
    .values({
      hash: fingerprint(authorization.state),
      type,
      browser: markBrowser(ctx),
      nonce: authorization.nonce,
      code_verifier: authorization.codeVerifier,
      intent,
      user_id: intent === 'bind' ? ctx.viewer.id : 0,
      redirect: toReturnPath(redirect),
      expires_at: ctx.now() + lifeMs,
    })
    .execute()
  return url
}

/** Uses up the state of a log-in that was begun in this browser, with this provider. */
export async function useState(ctx: Ctx, { type, state }: { type: OauthType; state: string }) {
  const row = await ctx.db
    .deleteFrom('oauth_state')
    .where('hash', '=', fingerprint(state))
    .where('type', '=', type)
    .where('browser', '=', findBrowser(ctx))
    .where('expires_at', '>', ctx.now())
    .returning(['intent', 'user_id', 'redirect', 'nonce', 'code_verifier as codeVerifier'])
    .executeTakeFirst()
  if (!row) throw errors.oauth.stateWrong()
  return row
}

export function getProvider(ctx: Ctx, type: OauthType): OauthProvider {
  const provider = openOauthProvider(ctx.settings, type)
  if (!provider) throw errors.oauth.off()
  return provider
}

/** The owner registers it with the provider. Never by the Host header of a request. */
export function redirectUriOf({ settings }: Ctx, type: OauthType): string {
  const { domain } = settings.system
  if (!domain) throw errors.oauth.noDomain()
  return `${domain}/oauth/${type}`
}
