import type { OauthType } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { OauthError } from '#server/gateways/oauth/oauth-provider.ts'
import { toOauthError } from '#server/gateways/oauth/wechat.ts'
import { WeChatError } from '#server/gateways/wechat/api.ts'

/** What a provider answers; why it does not, is for the owner's log alone. */
export async function askProvider<T>(ctx: Ctx, type: OauthType, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (thrown) {
    const error = thrown instanceof WeChatError ? toOauthError(thrown) : thrown
    if (!(error instanceof OauthError)) throw error
    if (error.problem === 'stale') throw errors.oauth.codeStale()
    ctx.log.error({ type, reason: error.message }, 'a provider of third-party logins failed')
    throw errors.oauth.providerFailed()
  }
}
