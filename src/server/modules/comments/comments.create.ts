import { isBuiltInPage } from '#shared/contract/articles.ts'
import { ActivityType, ContentType, ReviewStatus } from '#shared/enums.ts'
import type { Comment, comments } from '#shared/contract/comments.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { throttle } from '#server/modules/auth/attempts.ts'
import { checkCaptcha } from '#server/modules/auth/captcha.ts'
import { recordActivity } from '#server/modules/users/activity.ts'
import { applyVisibilityChanges } from './comments.change.ts'
import { requireContent } from './comments.content.ts'
import { findCounted } from './comments.counts.ts'
import { isReviewed, canSee, assertCanComment } from './comments.policy.ts'
import { type CommentRow, presentComments } from './comments.present.ts'
import { commentHref } from './comments.rewards.ts'
import { getTarget, lockTargets } from './comments.targets.ts'

type CommentInput = Input<typeof comments.create>

export async function createComment(ctx: MemberCtx, input: CommentInput): Promise<Comment> {
  assertCanComment(ctx)
  const content = requireContent(input.content)
  const { type, uuid } = await getTarget(ctx, input)
  if (type === ContentType.Article && isBuiltInPage(uuid)) throw errors.comments.notHere()
  // Outside the transaction: a captcha is used up even if what follows is refused.
  await checkCaptcha(ctx, 'comment', input)
  return transaction(ctx, async (ctx) => {
    await lockTargets(ctx, [input])
    const target = await getTarget(ctx, input)
    const rootId = await findRootId(ctx, input)
    await assertCommentInterval(ctx)
    const row = await insertComment(ctx, { ...input, content, rootId })
    await recordActivity(ctx, {
      userId: row.user_id,
      type: ActivityType.Comment,
      subject: target.title,
      href: commentHref(target, row.id),
    })
    await applyVisibilityChanges(ctx, [], await findCounted(ctx.db, [row.id]), { isNew: true })
    const [comment] = await presentComments(ctx, [row], { titles: true })
    if (!comment) throw errors.comments.notFound()
    return comment
  })
}

/** The root of the thread that a reply belongs to; 0 for a new thread. The author must see what they reply to. */
async function findRootId({ db, viewer }: Ctx, { parent_id, type, document_id }: CommentInput): Promise<number> {
  if (parent_id === 0) return 0
  const parent = await db
    .selectFrom('comment')
    .innerJoin('comment as root', 'root.id', 'comment.root_id')
    .select(['comment.status', 'comment.user_id', 'comment.root_id'])
    .select(['root.status as root_status', 'root.user_id as root_user_id'])
    .where('comment.id', '=', parent_id)
    .where('comment.type', '=', type)
    .where('comment.document_id', '=', document_id)
    .where('comment.is_deleted', '=', 0)
    .executeTakeFirst()
  const root = parent && { status: parent.root_status, user_id: parent.root_user_id }
  if (!root || !canSee(viewer, parent) || !canSee(viewer, root)) throw errors.comments.parentGone()
  return parent.root_id
}

/** The interval is part of the throttle's key, so that a shorter one applies at once. */
async function assertCommentInterval(ctx: MemberCtx): Promise<void> {
  const seconds = ctx.settings.security.comment_interval
  if (seconds <= 0) return
  const left = await throttle(ctx, `comment:${seconds}:${ctx.viewer.id}`, seconds * 1000)
  if (left > 0) throw errors.comments.tooSoon(left)
}

async function insertComment(
  { db, viewer, origin, now }: MemberCtx,
  { type, document_id, parent_id, content, rootId }: CommentInput & { rootId: number },
): Promise<CommentRow> {
  const row = await db
    .insertInto('comment')
    .values({
      type,
      document_id,
      parent_id,
      content,
      user_id: viewer.id,
      root_id: rootId,
      status: isReviewed(viewer) ? ReviewStatus.Pending : ReviewStatus.Approved,
      ip: origin.ip,
      created_at: now(),
      updated_at: now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (rootId > 0) return row
  await db.updateTable('comment').set({ root_id: row.id }).where('id', '=', row.id).execute()
  return { ...row, root_id: row.id }
}
