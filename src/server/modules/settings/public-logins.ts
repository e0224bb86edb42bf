import type { PublicSettings } from '#shared/contract/settings.ts'
import type { Settings } from '#shared/settings.ts'
import { enabledOauthTypes } from '#server/gateways/oauth/providers.ts'

/** How members may log in beside their password, by the names that existing clients know. */
export function publicLogins(
  settings: Settings,
): Pick<PublicSettings['security'], 'enable_oauth' | 'enable_wechatmp_login'> {
  const { miniprogram, security, system } = settings
  const types = enabledOauthTypes(settings)
  const isOffered = types.some((type) => type !== 'wechatmp' || miniprogram.enable_scan_login)
  return {
    enable_oauth: isOffered && !security.is_close && system.domain !== '',
    enable_wechatmp_login: types.includes('wechatmp'),
  }
}

/** The mini program has a logo of its own, or the site's. */
export function miniProgramLogo({ miniprogram, system }: Settings): string {
  return miniprogram.mp_logo || system.logo
}
