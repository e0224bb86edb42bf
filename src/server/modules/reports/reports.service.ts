import { ActivityType } from '#shared/enums.ts'
import type { reports } from '#shared/contract/reports.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { bit } from '#server/db/tables/column.ts'
import { getVisible } from '#server/modules/documents/documents.get.ts'
import { owns } from '#server/modules/documents/documents.policy.ts'
import { recordActivity } from '#server/modules/users/activity.ts'

/** Once per member and document. The title and the username are stored as they were at the time. */
export async function createReport(
  ctx: MemberCtx,
  { document_id, reason }: Input<typeof reports.create>,
): Promise<void> {
  const document = await getVisible(ctx, { id: document_id })
  if (owns(ctx.viewer, document)) throw errors.reports.own()
  const { title, uuid } = document
  await transaction(ctx, async (ctx) => {
    const { id, username } = ctx.viewer
    const fields = { document_id, document_title: title, user_id: id, username, reason }
    const { numInsertedOrUpdatedRows } = await ctx.db
      .insertInto('report')
      .values({ ...fields, status: bit(false), created_at: ctx.now(), updated_at: ctx.now() })
      .onConflict((conflict) => conflict.columns(['document_id', 'user_id']).doNothing())
      .executeTakeFirstOrThrow()
    if (!numInsertedOrUpdatedRows) throw errors.reports.twice()
    await recordActivity(ctx, { userId: id, type: ActivityType.Report, subject: title, href: `/document/${uuid}` })
  })
}

export async function handleReport(
  { db, now }: MemberCtx,
  { id, status, remark }: Input<typeof reports.update>,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('report')
    .set({ status: bit(status), remark, updated_at: now() })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (!numUpdatedRows) throw errors.reports.notFound()
}
