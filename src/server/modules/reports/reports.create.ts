import { ActivityType, AttachmentType, ReportReason } from '#shared/enums.ts'
import type { reports } from '#shared/contract/reports.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { bit } from '#server/db/tables/column.ts'
import { getVisible } from '#server/modules/documents/documents.get.ts'
import { owns } from '#server/modules/documents/documents.policy.ts'
import { recordActivity } from '#server/modules/users/activity.ts'

/** Once per member and document. The title and the username are stored as they were at the time. */
export async function createReport(ctx: MemberCtx, { proof, ...form }: Input<typeof reports.create>): Promise<void> {
  assertComplete({ ...form, proof })
  const document = await getVisible(ctx, { id: form.document_id })
  if (owns(ctx.viewer, document)) throw errors.reports.own()
  const { title, uuid } = document
  await transaction(ctx, async (ctx) => {
    const { id: userId, username } = ctx.viewer
    const report = await ctx.db
      .insertInto('report')
      .values({
        ...form,
        document_title: title,
        user_id: userId,
        username,
        status: bit(false),
        created_at: ctx.now(),
        updated_at: ctx.now(),
      })
      .onConflict((conflict) => conflict.columns(['document_id', 'user_id']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!report) throw errors.reports.twice()
    await attachProofs(ctx, report.id, proof)
    await recordActivity(ctx, { userId, type: ActivityType.Report, subject: title, href: `/document/${uuid}` })
  })
}

/** The reasons of older clients need no more than a choice. */
function assertComplete({ reason, content, contact, proof }: Omit<Input<typeof reports.create>, 'document_id'>): void {
  const isCopyright = reason === ReportReason.Copyright
  if ((isCopyright || reason === ReportReason.Other) && !content) throw errors.reports.contentNeeded()
  if (isCopyright && !contact) throw errors.reports.contactNeeded()
  if (!isCopyright && proof.length > 0) throw errors.reports.proofsOnlyForCopyright()
}

async function attachProofs({ db, viewer, now }: MemberCtx, reportId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const attached = await db
    .updateTable('attachment')
    .set({ type_id: reportId, updated_at: now() })
    .where('id', 'in', ids)
    .where('type', '=', AttachmentType.ReportProof)
    .where('user_id', '=', viewer.id)
    .where('type_id', '=', 0)
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute()
  if (attached.length < new Set(ids).size) throw errors.reports.proofsUnusable()
}
