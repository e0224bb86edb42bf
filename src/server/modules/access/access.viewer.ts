import { Punishment, punishmentLabels } from '#shared/enums.ts'
import { administratorsId, type PermissionPath, wirePath } from '#shared/permissions.ts'
import { formatTime } from '#shared/format.ts'
import { anonymous, type Ctx, type Viewer } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { readToken } from '#server/modules/auth/sessions.ts'

const lastSeenPrecisionMs = 5 * 60_000

export type TokenCtx = Pick<Ctx, 'db' | 'keys' | 'now'>

/** Authenticates by token: anonymous if it is missing, forged, expired or revoked, or if the account is disabled. */
export async function findViewer(ctx: TokenCtx, token: string): Promise<Viewer> {
  const claims = token ? await readToken(ctx.keys, token, ctx.now()) : undefined
  const session = claims && (await findLiveSession(ctx, claims.sessionId))
  if (!session || session.id !== claims.userId) return anonymous
  await noteLastSeen(ctx, session)
  return loadEnabledViewer(ctx, session)
}

/** For what carries no token but names a session under our signature; 0 names none. */
export async function findViewerOfSession(ctx: Pick<Ctx, 'db' | 'now'>, sessionId: number): Promise<Viewer> {
  const session = sessionId > 0 ? await findLiveSession(ctx, sessionId) : undefined
  return session ? loadEnabledViewer(ctx, session) : anonymous
}

async function loadEnabledViewer(ctx: Pick<Ctx, 'db' | 'now'>, session: LiveSession): Promise<Viewer> {
  const viewer = await loadViewer(ctx, session)
  return viewer.punished(Punishment.Disabled) ? anonymous : viewer
}

export async function loadViewer(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  { id, username, is_root, sessionId }: Omit<LiveSession, 'last_seen_at'>,
): Promise<Viewer> {
  const [groups, permissions, punishments] = await Promise.all([
    findGroups(db, id),
    findPermissionPaths(db, [id]),
    findActivePunishments(db, id, now()),
  ])
  const isRoot = is_root === 1
  const isAdministrator = isRoot || groups.some((group) => group.id === administratorsId)
  return {
    id,
    username,
    sessionId,
    groups,
    shares: [],
    isRoot,
    isAdministrator,
    isStaff: isAdministrator || permissions.size > 0,
    can: (permission: PermissionPath) => isAdministrator || permissions.has(wirePath(permission)),
    punished: (...types: Punishment[]) => {
      const active = isRoot ? undefined : punishments.find(({ type }) => types.includes(type))
      return active && describePunishment(active)
    },
  }
}

interface LiveSession {
  /** Of the user. */
  id: number
  username: string
  is_root: number
  sessionId: number
  last_seen_at: number
}

function findLiveSession({ db, now }: Pick<Ctx, 'db' | 'now'>, sessionId: number): Promise<LiveSession | undefined> {
  return db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .select(['user.id', 'user.username', 'user.is_root', 'session.id as sessionId', 'session.last_seen_at'])
    .where('session.id', '=', sessionId)
    .where('session.expires_at', '>', now())
    .executeTakeFirst()
}

async function noteLastSeen({ db, now }: TokenCtx, { sessionId, last_seen_at }: LiveSession): Promise<void> {
  if (last_seen_at >= now() - lastSeenPrecisionMs) return
  await db.updateTable('session').set({ last_seen_at: now() }).where('id', '=', sessionId).execute()
}

function findGroups(db: Db, userId: number) {
  return db
    .selectFrom('group')
    .innerJoin('user_group', 'user_group.group_id', 'group.id')
    .selectAll('group')
    .where('user_group.user_id', '=', userId)
    .execute()
}

/** The permission paths (as on the wire) that any of the users' groups have been given; administrators hold all without. */
export async function findPermissionPaths(db: Db, userIds: readonly number[]): Promise<Set<string>> {
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

function findActivePunishments(db: Db, userId: number, now: number) {
  return (
    db
      .selectFrom('punishment')
      .select(['type', 'reason', 'end_time'])
      .where('user_id', '=', userId)
      .where('enable', '=', 1)
      .where((where) => where.or([where('end_time', 'is', null), where('end_time', '>', now)]))
      .orderBy('type')
      // Of several punishments of a type, the message names the longest.
      .orderBy('end_time', (by) => by.desc().nullsFirst())
      .execute()
  )
}

function describePunishment({
  type,
  reason,
  end_time,
}: {
  type: Punishment
  reason: string
  end_time: number | null
}): string {
  const what = `您已被${punishmentLabels[type]}`
  const until = end_time ? `，${formatTime(end_time)} 解除` : ''
  return `${what}${until}${reason ? `。原因：${reason}` : ''}`
}
