import { Punishment, punishmentLabels } from '#shared/enums.ts'
import { administratorsId, type PermissionPath, wirePath } from '#shared/permissions.ts'
import { formatTime } from '#shared/format.ts'
import { anonymous, type Ctx, type Viewer } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { type EnrolmentColumns, isEnrolled, noteDemand } from '#server/modules/auth/second-factor/account-security.ts'
import { isLive, readToken } from '#server/modules/auth/sessions.ts'
import { owesPassword, owesSecondFactor, withoutRights } from '#server/proof.ts'

const dayMs = 86_400_000
const lastSeenPrecisionMs = 5 * 60_000

export type TokenCtx = Pick<Ctx, 'db' | 'keys' | 'now' | 'settings'>
type SessionCtx = Pick<Ctx, 'db' | 'now' | 'settings'>

/** Authenticates by token: anonymous if it is missing, forged, expired or revoked, or if the account is disabled. */
export async function findViewer(ctx: TokenCtx, token: string): Promise<Viewer> {
  const claims = token ? await readToken(ctx.keys, token, ctx.now()) : undefined
  const session = claims && (await findLiveSession(ctx, claims.sessionId))
  if (!session || session.id !== claims.userId) return anonymous
  await noteLastSeen(ctx, session)
  const viewer = await loadEnabledViewer(ctx, session)
  return demandSecondFactor(ctx, viewer, session)
}

/** For what carries no token but names a session under our signature; 0 names none. */
export async function findViewerOfSession(ctx: SessionCtx, sessionId: number): Promise<Viewer> {
  const session = sessionId > 0 ? await findLiveSession(ctx, sessionId) : undefined
  if (!session) return anonymous
  const viewer = await demandSecondFactor(ctx, await loadEnabledViewer(ctx, session), session)
  return owesSecondFactor({ ...ctx, viewer }) || owesPassword({ viewer }) ? withoutRights(viewer) : viewer
}

/** Commands act for the owner, whatever the password. */
async function loadEnabledViewer(ctx: Pick<Ctx, 'db' | 'now'>, session: LiveSession): Promise<Viewer> {
  const owed = session.way === 'command' ? 0 : session.must_change_password
  const viewer = await loadViewer(ctx, { ...session, must_change_password: owed })
  return viewer.punished(Punishment.Disabled) ? anonymous : viewer
}

export async function loadViewer(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  {
    id,
    username,
    is_root,
    is_trusted = 0,
    must_change_password = 0,
    sessionId,
    proven_at = 0,
    totp_enabled_at,
    passkey_second,
  }: ViewerRow,
): Promise<Viewer> {
  const [groups, permissions, punishments] = await Promise.all([
    findGroups(db, id, now()),
    findPermissionPaths(db, [id], now()),
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
    isTrusted: is_trusted === 1,
    mustChangePassword: must_change_password === 1,
    isRoot,
    isAdministrator,
    isStaff: isAdministrator || permissions.size > 0,
    hasSecondFactor: isEnrolled({ totp_enabled_at, passkey_second }),
    provenAt: proven_at,
    secondFactorDueAt: 0,
    can: (permission: PermissionPath) => isAdministrator || permissions.has(wirePath(permission)),
    punished: (...types: Punishment[]) => {
      const active = isRoot ? undefined : punishments.find(({ type }) => types.includes(type))
      return active && describePunishment(active)
    },
  }
}

/** Rules that act for a user without a session leave out what belongs to one. */
interface ViewerRow extends Partial<EnrolmentColumns> {
  /** Of the user. */
  id: number
  username: string
  is_root: number
  is_trusted?: number
  must_change_password?: number
  sessionId: number
  proven_at?: number
}

interface LiveSession extends ViewerRow {
  last_seen_at: number
  way: string
  demanded_at: number | null
}

function findLiveSession({ db, now, settings }: SessionCtx, sessionId: number): Promise<LiveSession | undefined> {
  return db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .leftJoin('account_security', 'account_security.user_id', 'user.id')
    .select([
      'user.id',
      'user.username',
      'user.is_root',
      'user.is_trusted',
      'user.must_change_password',
      'session.id as sessionId',
      'session.last_seen_at',
    ])
    .select(['session.way', 'session.proven_at', 'totp_enabled_at', 'passkey_second', 'demanded_at'])
    .where('session.id', '=', sessionId)
    .where(isLive({ now: now(), settings }))
    .executeTakeFirst()
}

/**
 * The grace period of a member of the staff begins when the demand is first seen, by whatever request. Commands act for
 * the owner: they are not refused.
 */
async function demandSecondFactor(ctx: SessionCtx, viewer: Viewer, session: LiveSession): Promise<Viewer> {
  const { staff_second_factor, staff_second_factor_days } = ctx.settings.security
  if (!staff_second_factor || !viewer.isStaff || viewer.hasSecondFactor || session.way === 'command') return viewer
  const demandedAt = session.demanded_at ?? (await noteDemand(ctx, viewer.id))
  return { ...viewer, secondFactorDueAt: demandedAt + staff_second_factor_days * dayMs }
}

async function noteLastSeen({ db, now }: TokenCtx, { sessionId, last_seen_at }: LiveSession): Promise<void> {
  if (last_seen_at >= now() - lastSeenPrecisionMs) return
  await db.updateTable('session').set({ last_seen_at: now() }).where('id', '=', sessionId).execute()
}

function findGroups(db: Db, userId: number, now: number) {
  return db
    .selectFrom('group')
    .innerJoin('user_group', 'user_group.group_id', 'group.id')
    .selectAll('group')
    .where('user_group.user_id', '=', userId)
    .where((eb) => eb.or([eb('user_group.ends_at', 'is', null), eb('user_group.ends_at', '>', now)]))
    .execute()
}

/**
 * The permission paths (as on the wire) that any of the users' groups have been given; administrators hold all without.
 * With a time, without memberships that have ended by then.
 */
export async function findPermissionPaths(db: Db, userIds: readonly number[], now = 0): Promise<Set<string>> {
  if (userIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('permission')
    .innerJoin('group_permission', 'group_permission.permission_id', 'permission.id')
    .innerJoin('user_group', 'user_group.group_id', 'group_permission.group_id')
    .select('permission.path')
    .distinct()
    .where('user_group.user_id', 'in', userIds)
    .where((eb) => eb.or([eb('user_group.ends_at', 'is', null), eb('user_group.ends_at', '>', now)]))
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
