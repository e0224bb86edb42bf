import { errors } from '#shared/errors.ts'
import type { Settings } from '#shared/settings.ts'

/** What passkeys are bound to. The configured domain, never the host of the request. */
interface SiteIdentity {
  rpID: string
  rpName: string
  origin: string
}

export function getSiteIdentity({ system }: Pick<Settings, 'system'>): SiteIdentity {
  const url = URL.parse(system.domain)
  if (!url) throw errors.security.passkeysOff()
  return { rpID: url.hostname, rpName: system.sitename, origin: url.origin }
}
