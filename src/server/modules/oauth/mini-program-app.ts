import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { enabledOauthTypes } from '#server/gateways/oauth/providers.ts'
import type { WeChatApp } from '#server/gateways/wechat/api.ts'

/** The mini program that members log in with. */
export function getMiniProgram({ settings }: Ctx): WeChatApp {
  if (!enabledOauthTypes(settings).includes('wechatmp')) throw errors.oauth.off()
  const { app_id, app_secret, gateway } = settings.miniprogram
  return { appId: app_id.trim(), secret: app_secret.trim(), gateway }
}
