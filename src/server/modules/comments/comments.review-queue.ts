import { sql } from 'kysely'
import type { comments } from '#shared/contract/comments.ts'
import type { ReviewQueue } from '#shared/contract/review.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { ReviewStatus } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { listQueue } from '#server/db/list.ts'
import { findContributor } from '#server/modules/users/contributor.ts'
import { type CommentRow, presentComments } from './comments.present.ts'

/** On either side of the comment. */
const maxNeighbours = 10

export function listPendingComments(
  ctx: Ctx,
  { after, user_id }: Input<typeof comments.reviewQueue>,
): Promise<ReviewQueue> {
  const pending = selectPending(ctx, user_id).where('id', '>', after)
  return listQueue(pending)
}

/** The comments of one author that wait for review; 0 selects those of all authors. */
function selectPending({ db }: Ctx, userId: number) {
  const pending = db
    .selectFrom('comment')
    .select('id')
    .where('is_deleted', '=', 0)
    .where('status', '=', sql.lit(ReviewStatus.Pending))
  return userId > 0 ? pending.where('user_id', '=', userId) : pending
}

/** Whatever its status: the desk tells the reviewer if another one has decided already. */
export async function getCommentForReview(
  ctx: Ctx,
  { id }: Input<typeof comments.reviewItem>,
): Promise<Reply<typeof comments.reviewItem>> {
  const row = await ctx.db.selectFrom('comment').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || row.is_deleted === 1) throw errors.comments.notFound()
  const rejections = ctx.db
    .selectFrom('comment')
    .select(['content as title', 'reject_reason as reason', 'updated_at as at'])
    .where('user_id', '=', row.user_id)
    .where('status', '=', ReviewStatus.Rejected)
    .where('is_deleted', '=', 0)
  const [presented, contributor] = await Promise.all([
    findThread(ctx, row).then((rows) => presentComments(ctx, rows, { titles: true, forStaff: true })),
    findContributor(ctx, row.user_id, {
      approved: ({ comment_count }) => comment_count,
      rejections,
      pending: selectPending(ctx, row.user_id),
    }),
  ])
  const comment = presented.find((one) => one.id === id)
  if (!comment) throw errors.comments.notFound()
  return { comment, thread: presented, contributor }
}

/** The first comment of the thread and the comments around this one, the oldest first. */
async function findThread({ db }: Ctx, row: CommentRow): Promise<CommentRow[]> {
  const thread = db.selectFrom('comment').selectAll().where('root_id', '=', row.root_id)
  const [root, before, after] = await Promise.all([
    thread.where('id', '=', row.root_id).execute(),
    thread.where('id', '<', row.id).orderBy('id', 'desc').limit(maxNeighbours).execute(),
    thread.where('id', '>', row.id).orderBy('id').limit(maxNeighbours).execute(),
  ])
  const rows = new Map([...root, ...before, row, ...after].map((comment) => [comment.id, comment]))
  return [...rows.values()].toSorted((a, b) => a.id - b.id)
}
