import type { sessions } from '#shared/contract/users.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { endOtherSessions, isLive } from '#server/modules/auth/sessions.ts'
import { describePlace } from './place.ts'

export const sessionRoutes: Handlers<typeof sessions> = {
  async list(ctx) {
    const rows = await ctx.db
      .selectFrom('session')
      .select(['id', 'ip', 'user_agent', 'way', 'factor', 'created_at', 'last_seen_at as seen_at'])
      .where('user_id', '=', ctx.viewer.id)
      .where(isLive({ now: ctx.now(), settings: ctx.settings }))
      .orderBy('last_seen_at', 'desc')
      .limit(100)
      .execute()
    return {
      session: rows.map((row) => {
        const current = row.id === ctx.viewer.sessionId
        return { ...row, current, place: describePlace(row.ip, current ? undefined : ctx.origin.network) }
      }),
    }
  },
  async end(ctx, { id }) {
    await ctx.db.deleteFrom('session').where('id', 'in', id).where('user_id', '=', ctx.viewer.id).execute()
    return {}
  },
  async endOthers(ctx) {
    await endOtherSessions(ctx)
    return {}
  },
}
