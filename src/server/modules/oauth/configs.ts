import type { oauth } from '#shared/contract/oauth.ts'
import type { Reply } from '#shared/endpoint.ts'
import type { OauthType } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import { enabledOauthTypes, hasRedirect, oauthIcon, oauthTitle } from '#server/gateways/oauth/providers.ts'

/** Sends a browser on to a provider; see `redirect-route.ts`. */
export const authorizePath = '/api/v1/oauth/authorize'

/** The ways to log in that this browser can use. None while the site is closed, or has no address of its own. */
export function listConfigs({ settings, origin }: Ctx): Reply<typeof oauth.configs> {
  const { domain } = settings.system
  if (settings.security.is_close || !domain) return []
  const isInsideWeChat = /MicroMessenger/i.test(origin.userAgent)
  const isShown = (type: OauthType) => {
    // A code on the screen of the phone that should scan it is of no use.
    if (type === 'wechat') return !isInsideWeChat
    if (type === 'wechatoa') return isInsideWeChat
    if (type === 'wechatmp') return settings.miniprogram.enable_scan_login && !isInsideWeChat
    return true
  }
  return enabledOauthTypes(settings)
    .filter(isShown)
    .map((type) => ({
      type,
      title: oauthTitle(settings, type),
      icon: oauthIcon(settings, type),
      // The mini program's code is shown by a page of ours.
      authorize_url: hasRedirect(type) ? `${domain}${authorizePath}?type=${type}` : `${domain}/oauth/${type}`,
    }))
}
