import type { Comment, comments } from '#shared/contract/comments.ts'
import type { Input } from '#shared/endpoint.ts'
import { ReviewStatus, reviewActs, reviewStatusLabels } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { describeInput } from '#server/audit-text.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { publish } from '#server/durable-events.ts'
import { changeComments } from './comments.change.ts'
import { requireContent } from './comments.content.ts'
import { presentComments } from './comments.present.ts'

/** Tombstones keep their status. */
export async function checkComments(
  ctx: MemberCtx,
  { id, status, reason, from }: Input<typeof comments.review>,
): Promise<void> {
  const reject_reason = status === ReviewStatus.Rejected ? reason : ''
  ctx.audit?.({ act: `${reviewActs[status]}评论`, change: describeInput({ reason: reject_reason }) })
  await changeComments(ctx, id, async (ctx) => {
    const { db, now } = ctx
    if (from.length > 0) await assertUndecided(db, id, from)
    const changed = await db
      .updateTable('comment')
      .set({ status, reject_reason, updated_at: now() })
      .where('id', 'in', id)
      .where('is_deleted', '=', 0)
      .where('status', '<>', status)
      .returning('id')
      .execute()
    const ids = changed.map((row) => row.id)
    await publishReview(ctx, { ids, status, reason: reject_reason })
  })
}

export async function updateComment(
  ctx: MemberCtx,
  { id, content, status }: Input<typeof comments.update>,
): Promise<void> {
  const text = requireContent(content)
  await changeComments(ctx, [id], async (ctx) => {
    const { db, now } = ctx
    const before = await db.selectFrom('comment').select('status').where('id', '=', id).executeTakeFirst()
    const { numUpdatedRows } = await db
      .updateTable('comment')
      .set({
        content: text,
        updated_at: now(),
        ...(status !== undefined && { status }),
        ...(status !== undefined && status !== ReviewStatus.Rejected && { reject_reason: '' }),
      })
      .where('id', '=', id)
      .where('is_deleted', '=', 0)
      .executeTakeFirst()
    if (!numUpdatedRows) throw errors.comments.notFound()
    if (status !== undefined && status !== before?.status) await publishReview(ctx, { ids: [id], status, reason: '' })
  })
}

export async function getComment(ctx: MemberCtx, { id }: Input<typeof comments.get>): Promise<Comment> {
  const row = await ctx.db.selectFrom('comment').selectAll().where('id', '=', id).executeTakeFirst()
  const [comment] = await presentComments(ctx, row ? [row] : [], { titles: true, forStaff: true })
  if (!comment) throw errors.comments.notFound()
  return comment
}

/** Two reviewers may have the same comment before them. Call it with the comments locked. */
async function assertUndecided(db: Db, ids: readonly number[], from: readonly ReviewStatus[]): Promise<void> {
  const rows = await db
    .selectFrom('comment')
    .select('status')
    .where('id', 'in', ids)
    .where('is_deleted', '=', 0)
    .execute()
  if (rows.length === 0) throw errors.comments.notFound()
  const decided = rows.find(({ status }) => !from.includes(status))
  if (decided) throw errors.review.decided(reviewStatusLabels[decided.status])
}

interface ReviewedComments {
  ids: number[]
  status: ReviewStatus
  reason: string
}

/** The listener tells their authors. Call it in the transaction of the review. */
async function publishReview(ctx: Ctx, reviewed: ReviewedComments): Promise<void> {
  if (reviewed.ids.length === 0) return
  await publish(ctx, 'comments.reviewed', { key: ctx.id(), reviewer: ctx.viewer.id, ...reviewed })
}
