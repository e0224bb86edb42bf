import type { Settings } from '#shared/settings.ts'
import { enabledOauthTypes } from '#server/gateways/oauth/providers.ts'

/** What the mini program reads among the settings of the site, by the names that it knows. */
export function publicMiniProgram(settings: Settings): { mp_logo: string; enable_wechatmp_login: boolean } {
  const { miniprogram, system } = settings
  return {
    mp_logo: miniprogram.mp_logo || system.logo,
    enable_wechatmp_login: enabledOauthTypes(settings).includes('wechatmp'),
  }
}
