import type { Comment, comments } from '#shared/contract/comments.ts'
import type { Input } from '#shared/endpoint.ts'
import { reviewStatusLabels } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { describeInput } from '#server/audit-text.ts'
import type { MemberCtx } from '#server/context.ts'
import { changeComments } from './comments.change.ts'
import { requireContent } from './comments.content.ts'
import { presentComments } from './comments.present.ts'

/** Tombstones keep their status. */
export async function checkComments(ctx: MemberCtx, { id, status }: Input<typeof comments.review>): Promise<void> {
  ctx.audit?.({ change: describeInput({ status: reviewStatusLabels[status] }) })
  await changeComments(ctx, id, async ({ db, now }) => {
    await db
      .updateTable('comment')
      .set({ status, updated_at: now() })
      .where('id', 'in', id)
      .where('is_deleted', '=', 0)
      .where('status', '<>', status)
      .execute()
  })
}

export async function updateComment(
  ctx: MemberCtx,
  { id, content, status }: Input<typeof comments.update>,
): Promise<void> {
  const text = requireContent(content)
  await changeComments(ctx, [id], async ({ db, now }) => {
    const { numUpdatedRows } = await db
      .updateTable('comment')
      .set({ content: text, updated_at: now(), ...(status !== undefined && { status }) })
      .where('id', '=', id)
      .where('is_deleted', '=', 0)
      .executeTakeFirst()
    if (!numUpdatedRows) throw errors.comments.notFound()
  })
}

export async function getComment(ctx: MemberCtx, { id }: Input<typeof comments.get>): Promise<Comment> {
  const row = await ctx.db.selectFrom('comment').selectAll().where('id', '=', id).executeTakeFirst()
  const [comment] = await presentComments(ctx, row ? [row] : [], { titles: true, ip: true })
  if (!comment) throw errors.comments.notFound()
  return comment
}
