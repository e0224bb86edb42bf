import { randomBytes } from 'node:crypto'
import type { invitations } from '#shared/contract/invitations.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { Punishment } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { isReservedName } from '#shared/names.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { listRows } from '#server/db/list.ts'
import { admit } from '#server/http/api/admit.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { fingerprint } from '#server/keys.ts'
import { findDefaultGroup } from '#server/modules/access/groups.queries.ts'
import { loadViewer } from '#server/modules/access/access.viewer.ts'
import { countAttempt } from '#server/modules/auth/attempts.ts'
import { assertStrongPassword, hashPassword } from '#server/modules/auth/passwords.ts'
import { enqueueMail } from '#server/modules/mail/mail.service.ts'
import { addUser, enterNewAccount } from '../sign-in/register.ts'
import { acceptableName, assertNameFree } from '../users.names.ts'
import { assertCanGrant } from '../users.policy.ts'
import { findUser, findUsernames, setGroups } from '../users.queries.ts'

const dayMs = 86_400_000

export const invitationRoutes: Handlers<typeof invitations> = {
  create: invite,
  list: listInvitations,
  withdraw: emptyReply(withdraw),
  look,
  accept,
}

/** The host of the link is the configured one, never that of a request. */
async function invite(
  ctx: MemberCtx,
  { group_id, email, member_until, days }: Input<typeof invitations.create>,
): Promise<Reply<typeof invitations.create>> {
  await assertCanGrant(ctx, group_id)
  if (!ctx.settings.system.domain && email) throw errors.mail.noDomain()
  const now = ctx.now()
  if (member_until !== null && member_until <= now) throw errors.invitations.endsBefore()
  const token = randomBytes(32).toString('base64url')
  const expires_at = now + days * dayMs
  const path = `/invite?token=${token}`
  return transaction(ctx, async (ctx) => {
    const { id } = await ctx.db
      .insertInto('invitation')
      .values({
        token_hash: fingerprint(token),
        email,
        group_ids: [...new Set(group_id)].join(','),
        member_until,
        user_id: ctx.viewer.id,
        expires_at,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (!email) return { id, link: ctx.settings.system.domain ? new URL(path, ctx.settings.system.domain).href : path }
    const link = new URL(path, ctx.settings.system.domain).href
    const params = { username: ctx.viewer.username, link, days }
    await enqueueMail(ctx, { to: email, template: 'invitation', params, expiresAt: expires_at })
    return { id, link: '' }
  })
}

async function listInvitations(
  { db }: MemberCtx,
  input: Input<typeof invitations.list>,
): Promise<Reply<typeof invitations.list>> {
  const { total, rows } = await listRows(db.selectFrom('invitation').selectAll(), input, {
    search: ['email'],
    order: [['id', 'desc']],
    sizes: { min: 1, max: 100, default: 20 },
  })
  const names = await findUsernames(
    db,
    rows.flatMap(({ user_id, used_by }) => [user_id, used_by]),
  )
  const invitation = rows.map(({ group_ids, ...row }) => ({
    ...row,
    group_id: toIds(group_ids),
    username: names.get(row.user_id) ?? '',
    used_name: names.get(row.used_by) ?? '',
  }))
  return { total, invitation }
}

async function withdraw(ctx: MemberCtx, { id }: Input<typeof invitations.withdraw>): Promise<void> {
  await transaction(ctx, (ctx) =>
    ctx.db
      .updateTable('invitation')
      .set({ withdrawn_at: ctx.now(), updated_at: ctx.now() })
      .where('id', 'in', id)
      .where('used_at', 'is', null)
      .execute(),
  )
}

async function look(ctx: Ctx, { token }: Input<typeof invitations.look>): Promise<Reply<typeof invitations.look>> {
  await countLook(ctx)
  const { email, member_until, expires_at, user_id, group_ids } = await findOpen(ctx, token)
  const rows = await ctx.db.selectFrom('group').select('title').where('id', 'in', toIds(group_ids)).execute()
  const inviter = await findUser(ctx.db, user_id)
  return {
    username: inviter?.username ?? '',
    group: rows.map(({ title }) => title),
    email,
    member_until,
    expires_at,
    second_factor: ctx.settings.security.staff_second_factor,
  }
}

/** The groups are granted by who invited, who must be able to grant them still. */
async function accept(
  ctx: Ctx,
  { token, username, password }: Input<typeof invitations.accept>,
): Promise<Reply<typeof invitations.accept>> {
  await countLook(ctx)
  const known = await findOpen(ctx, token)
  await assertNameFree(ctx, acceptableName(username))
  if (isReservedName(username)) throw errors.users.nameReserved()
  assertStrongPassword(ctx, password, { username, email: known.email })
  const hashed = await hashPassword(password)
  return transaction(ctx, async (ctx) => {
    const taken = await ctx.db
      .updateTable('invitation')
      .set({ used_at: ctx.now(), updated_at: ctx.now() })
      .where('id', '=', known.id)
      .where('used_at', 'is', null)
      .where('withdrawn_at', 'is', null)
      .executeTakeFirst()
    if (!taken.numUpdatedRows) throw errors.invitations.notValid()
    const groupIds = toIds(known.group_ids)
    await assertInviterCanGrant(ctx, known.user_id, groupIds)
    const standard = await findDefaultGroup(ctx.db)
    // A link that was mailed has proven the address.
    const isVerified = known.email !== ''
    const user = await addUser(ctx, { username, password: hashed, email: known.email, isVerified, groupIds })
    await setGroups(ctx.db, user.id, [...groupIds, ...(standard ? [standard.id] : [])], known.member_until)
    await ctx.db.updateTable('invitation').set({ used_by: user.id }).where('id', '=', known.id).execute()
    return enterNewAccount(ctx, user, 'password')
  })
}

async function assertInviterCanGrant(ctx: Ctx, userId: number, groupIds: readonly number[]): Promise<void> {
  const user = await findUser(ctx.db, userId)
  if (!user || user.deleted_at !== null) throw errors.invitations.notValid()
  const viewer = await loadViewer(ctx, { id: user.id, username: user.username, is_root: user.is_root, sessionId: 0 })
  if (viewer.punished(Punishment.Disabled) || !viewer.can('UserAPI/AddUser')) throw errors.invitations.notValid()
  await assertCanGrant(admit('self', { ...ctx, viewer }), groupIds)
}

/** One that can still be accepted: the answer is the same for all others. */
async function findOpen({ db, now }: Ctx, token: string) {
  const row = await db
    .selectFrom('invitation')
    .selectAll()
    .where('token_hash', '=', fingerprint(token))
    .where('used_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where('expires_at', '>', now())
    .executeTakeFirst()
  if (!row) throw errors.invitations.notValid()
  return row
}

function countLook(ctx: Ctx): Promise<void> {
  return countAttempt(ctx, `invitation:${ctx.origin.network}`, { free: 30, maxDelayMs: 10 * 60_000 })
}

function toIds(text: string): number[] {
  return text.split(',').filter(Boolean).map(Number)
}

/** Memberships that have ended go, and who has none left is in the default group again. */
export async function endMemberships(ctx: Ctx): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const ended = await ctx.db.deleteFrom('user_group').where('ends_at', '<=', ctx.now()).returning('user_id').execute()
    const standard = await findDefaultGroup(ctx.db)
    for (const user_id of new Set(ended.map((row) => row.user_id))) {
      const left = await ctx.db.selectFrom('user_group').select('group_id').where('user_id', '=', user_id).execute()
      if (left.length === 0 && standard)
        await ctx.db.insertInto('user_group').values({ user_id, group_id: standard.id }).execute()
    }
  })
}
