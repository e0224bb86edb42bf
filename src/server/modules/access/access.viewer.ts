import { type Punishment, punishmentLabels } from '#shared/enums.ts'
import { type PermissionPath, rootId, wirePath } from '#shared/permissions.ts'
import { formatTime } from '#shared/format.ts'
import { anonymous, type Ctx, type Viewer } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { readToken, type TokenClaims } from '#server/modules/auth/sessions.ts'

const seenEveryMs = 5 * 60_000

export type TokenCtx = Pick<Ctx, 'db' | 'keys' | 'now'>

/** Who a token speaks for. One that is missing, forged, expired or ended, or whose account is disabled, speaks for nobody. */
export async function viewerOf(ctx: TokenCtx, token: string): Promise<Viewer> {
  const claims = token ? await readToken(ctx.keys, token, ctx.now()) : undefined
  const session = claims && (await liveSession(ctx, claims))
  if (!session) return anonymous
  const viewer = await loadViewer(ctx, session)
  return viewer.punished(1) ? anonymous : viewer
}

export async function loadViewer(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  { id, username, sessionId }: { id: number; username: string; sessionId: number },
): Promise<Viewer> {
  const [groups, permissions, punishments] = await Promise.all([
    groupsOf(db, id),
    permissionsOf(db, [id]),
    punishmentsOf(db, id, now()),
  ])
  const isRoot = id === rootId
  return {
    id,
    username,
    sessionId,
    groups,
    isRoot,
    isStaff: isRoot || permissions.size > 0,
    can: (permission: PermissionPath) => isRoot || permissions.has(wirePath(permission)),
    punished: (...types: Punishment[]) => {
      const held = isRoot ? undefined : punishments.find(({ type }) => types.includes(type as Punishment))
      return held && sentence(held)
    },
  }
}

async function liveSession({ db, now }: TokenCtx, { userId, sessionId }: TokenClaims) {
  const row = await db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .select(['user.id', 'user.username', 'session.id as sessionId', 'session.seen_at'])
    .where('session.id', '=', sessionId)
    .where('session.user_id', '=', userId)
    .where('session.expires_at', '>', now())
    .executeTakeFirst()
  if (row && row.seen_at < now() - seenEveryMs) {
    await db.updateTable('session').set({ seen_at: now() }).where('id', '=', sessionId).execute()
  }
  return row
}

function groupsOf(db: Db, userId: number) {
  return db
    .selectFrom('group')
    .innerJoin('user_group', 'user_group.group_id', 'group.id')
    .selectAll('group')
    .where('user_group.user_id', '=', userId)
    .execute()
}

/** The permission paths that the groups of some users hold, as on the wire. */
export async function permissionsOf(db: Db, userIds: readonly number[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('permission')
    .innerJoin('group_permission', 'group_permission.permission_id', 'permission.id')
    .innerJoin('user_group', 'user_group.group_id', 'group_permission.group_id')
    .select('permission.path')
    .distinct()
    .where('user_group.user_id', 'in', userIds)
    .execute()
  return new Set(rows.map(({ path }) => path))
}

function punishmentsOf(db: Db, userId: number, now: number) {
  return (
    db
      .selectFrom('punishment')
      .select(['type', 'reason', 'end_time'])
      .where('user_id', '=', userId)
      .where('enable', '=', 1)
      .where((where) => where.or([where('end_time', 'is', null), where('end_time', '>', now)]))
      .orderBy('type')
      // Of several of one kind, the one that lasts longest is the one to speak of.
      .orderBy('end_time', (by) => by.desc().nullsFirst())
      .execute()
  )
}

function sentence({ type, reason, end_time }: { type: number; reason: string; end_time: number | null }): string {
  const what = `您已被${punishmentLabels[type as Punishment]}`
  const until = end_time ? `，${formatTime(end_time)} 解除` : ''
  return `${what}${until}${reason ? `。原因：${reason}` : ''}`
}
