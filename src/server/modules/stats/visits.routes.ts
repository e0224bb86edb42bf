import type { visits } from '#shared/contract/system.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { isProgram } from './bots.ts'

/** Where people look after their own things, or the site's. */
const uncounted = /^\/(admin|me)(?=[/?#]|$)/

export const visitRoutes: Handlers<typeof visits> = {
  async note({ origin, settings, emit }, { path }) {
    const isPage = path.startsWith('/') && !uncounted.test(path)
    if (!isPage || settings.security.is_close || isProgram(origin.userAgent)) return {}
    emit('page.viewed', { network: origin.network, userAgent: origin.userAgent })
    return {}
  },
}
