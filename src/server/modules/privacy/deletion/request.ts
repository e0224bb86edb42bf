import type { DeletionPreview, privacy } from '#shared/contract/privacy.ts'
import type { Input } from '#shared/endpoint.ts'
import { type AppError, errors } from '#shared/errors.ts'
import { formatTime } from '#shared/format.ts'
import { type Ctx, type MemberCtx, transaction, type Viewer } from '#server/context.ts'
import { isTaken } from '#server/db/conflicts.ts'
import { isMailEnabled } from '#server/gateways/mail.ts'
import { enqueue } from '#server/jobs.ts'
import { endOtherSessions } from '#server/modules/auth/sessions.ts'
import { enqueueMail } from '#server/modules/mail/mail.service.ts'
import { cancelDeletion } from '#server/modules/users/deletion-requests.ts'
import { proveOwner } from '#server/modules/users/sign-in/prove-owner.ts'
import { findUser, type UserRow } from '#server/modules/users/users.queries.ts'
import { countOwned } from './owned.ts'

const dayMs = 86_400_000

/** What would happen, and whether it was requested. */
export async function previewDeletion(ctx: MemberCtx): Promise<DeletionPreview> {
  const user = await getOwn(ctx)
  const request = await ctx.db
    .selectFrom('account_deletion')
    .selectAll()
    .where('user_id', '=', user.id)
    .executeTakeFirst()
  return {
    due_at: request?.due_at ?? null,
    keep_content: request?.keeps_content === 1,
    has_password: user.password !== '',
    obstacle: obstacleOf(ctx.viewer)?.message ?? '',
    days: ctx.settings.security.delete_days,
    ...(await countOwned(ctx.db, user.id)),
    comment_count: user.comment_count,
    credit_count: user.credit_count,
    vip_until: user.vip_until > ctx.now() ? user.vip_until : null,
  }
}

/** Ends the other sessions: only this one sees that the account waits for its deletion, and can cancel it without logging in. */
export async function requestDeletion(
  ctx: MemberCtx,
  { password, keep_content }: Input<typeof privacy.requestDeletion>,
): Promise<DeletionPreview> {
  const obstacle = obstacleOf(ctx.viewer)
  if (obstacle) throw obstacle
  await proveOwner(ctx, { password })
  const user = await getOwn(ctx)
  const due_at = ctx.now() + ctx.settings.security.delete_days * dayMs
  try {
    await transaction(ctx, async (ctx) => {
      await ctx.db
        .insertInto('account_deletion')
        .values({ user_id: user.id, keeps_content: keep_content ? 1 : 0, requested_at: ctx.now(), due_at })
        .execute()
      await enqueue(ctx, 'privacy.delete-account', { user: user.id }, { runAt: due_at, owner: user.id })
      await endOtherSessions(ctx)
      await mailRequest(ctx, user, due_at)
    })
  } catch (error) {
    throw isTaken(error) ? errors.privacy.deletionRequested() : error
  }
  return previewDeletion(ctx)
}

/** As logging in does. */
export async function cancelOwnDeletion(ctx: MemberCtx): Promise<void> {
  if (!(await cancelDeletion(ctx, await getOwn(ctx)))) throw errors.privacy.noDeletion()
}

/** Staff first give up their rights, and the owner the site: neither can be left without. */
export function obstacleOf({ isRoot, isStaff }: Pick<Viewer, 'isRoot' | 'isStaff'>): AppError | undefined {
  if (isRoot) return errors.privacy.ownerKept()
  return isStaff ? errors.privacy.staffKept() : undefined
}

async function mailRequest(ctx: Ctx, { username, email }: UserRow, dueAt: number): Promise<void> {
  if (!email || !isMailEnabled(ctx.settings)) return
  const { domain } = ctx.settings.system
  const link = domain && new URL('/login', domain).href
  const params = { username, end: formatTime(dueAt), link }
  await enqueueMail(ctx, { to: email, template: 'deletion-requested', params, expiresAt: ctx.now() + dayMs })
}

async function getOwn(ctx: MemberCtx): Promise<UserRow> {
  const user = await findUser(ctx.db, ctx.viewer.id)
  if (!user) throw errors.users.notFound()
  return user
}
