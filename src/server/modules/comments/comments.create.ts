import type { Comment, comments } from '#shared/contract/social.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { takeTurn } from '#server/modules/auth/attempts.ts'
import { checkCaptcha } from '#server/modules/auth/captcha.ts'
import { recordDynamic } from '#server/modules/users/activity.ts'
import { settleComments } from './comments.change.ts'
import { writtenText } from './comments.content.ts'
import { standingOf } from './comments.counts.ts'
import { isReviewed, isSeen, refuseCommenter } from './comments.policy.ts'
import { type CommentRow, presentComments } from './comments.present.ts'
import { commentHref } from './comments.rewards.ts'
import { getTarget, holdTargets } from './comments.targets.ts'

type Written = Input<typeof comments.create>

export async function createComment(ctx: MemberCtx, input: Written): Promise<Comment> {
  refuseCommenter(ctx)
  const content = writtenText(input.content)
  await getTarget(ctx, input)
  // Outside the transaction: a captcha is used up even if what follows is refused.
  await checkCaptcha(ctx, 'comment', input)
  return transaction(ctx, async (ctx) => {
    await holdTargets(ctx, [input])
    const target = await getTarget(ctx, input)
    const rootId = await rootOf(ctx, input)
    await refuseHaste(ctx)
    const row = await addRow(ctx, { ...input, content, rootId })
    await recordDynamic(ctx, {
      userId: row.user_id,
      type: 1,
      subject: target.title,
      href: commentHref(target, row.id),
    })
    await settleComments(ctx, [], await standingOf(ctx.db, [row.id]), { isNew: true })
    const [shown] = await presentComments(ctx, [row], { titles: true })
    if (!shown) throw errors.comments.notFound()
    return shown
  })
}

/** The thread that an answer belongs to; 0 when it answers none. Only what its author sees can be answered. */
async function rootOf({ db, viewer }: Ctx, { parent_id, type, document_id }: Written): Promise<number> {
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
  if (!root || !isSeen(viewer, parent) || !isSeen(viewer, root)) throw errors.comments.parentGone()
  return parent.root_id
}

/** The turn is named after the interval: a shorter one holds at once, also for who waits for the end of a longer one. */
async function refuseHaste(ctx: MemberCtx): Promise<void> {
  const seconds = ctx.settings.security.comment_interval
  if (seconds <= 0) return
  const left = await takeTurn(ctx, `comment:${seconds}:${ctx.viewer.id}`, seconds * 1000)
  if (left > 0) throw errors.comments.tooSoon(left)
}

async function addRow(
  { db, viewer, origin, now }: MemberCtx,
  { type, document_id, parent_id, content, rootId }: Written & { rootId: number },
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
      status: isReviewed(viewer) ? 0 : 1,
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
