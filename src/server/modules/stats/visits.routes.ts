import type { visits } from '#shared/contract/stats.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { isBot } from './bots.ts'

/** Views of the account and admin pages are not counted. */
const uncounted = /^\/(admin|me)(?=[/?#]|$)/

export const visitRoutes: Handlers<typeof visits> = {
  async record({ origin, settings, emit }, { path }) {
    const isPage = path.startsWith('/') && !uncounted.test(path)
    if (!isPage || settings.security.is_close || isBot(origin.userAgent)) return {}
    emit('page.viewed', { network: origin.network, userAgent: origin.userAgent })
    return {}
  },
}
