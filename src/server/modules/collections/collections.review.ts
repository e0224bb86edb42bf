import type { collections } from '#shared/contract/collections.ts'
import type { Input } from '#shared/endpoint.ts'
import { ReviewStatus, reviewActs } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { describeInput } from '#server/audit-text.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { publish } from '#server/durable-events.ts'

/** Staff show or hide collections; a hidden one is for its owner, who sees the reason, and the staff alone. */
export async function reviewCollections(
  ctx: MemberCtx,
  { id, status, reason }: Input<typeof collections.review>,
): Promise<void> {
  const reject_reason = status === ReviewStatus.Rejected ? reason : ''
  ctx.audit?.({ ids: id, act: `${reviewActs[status]}文集`, change: describeInput({ reason: reject_reason }) })
  await transaction(ctx, async (ctx) => {
    await lockRows(ctx, 'collection', id)
    const known = await ctx.db
      .selectFrom('collection')
      .select(['id', 'status', 'reject_reason'])
      .where(inList(ctx.db, 'id', id))
      .execute()
    if (known.length === 0) throw errors.collections.notFound()
    const ids = known.filter((row) => row.status !== status || row.reject_reason !== reject_reason).map((row) => row.id)
    if (ids.length === 0) return
    await ctx.db
      .updateTable('collection')
      .set({ status, reject_reason })
      .where(inList(ctx.db, 'id', ids))
      .execute()
    await publish(ctx, 'collections.reviewed', {
      key: ctx.id(),
      ids,
      status,
      reason: reject_reason,
      reviewer: ctx.viewer.id,
    })
    ctx.emit('site.changed', {})
  })
}
