import type { reports } from '#shared/contract/reports.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import type { Input } from '#shared/endpoint.ts'
import { ActivityType, punishmentLabels, ReportOutcome, reportOutcomeLabels } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { PermissionPath } from '#shared/permissions.ts'
import { describeInput } from '#server/audit-text.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { bit } from '#server/db/tables/column.ts'
import { publish } from '#server/durable-events.ts'
import { punish } from '#server/modules/access/punishments.service.ts'
import { findDocument } from '#server/modules/documents/documents.queries.ts'
import { deleteDocuments } from '#server/modules/documents/publishing/delete.ts'
import { setStatus } from '#server/modules/documents/publishing/review.ts'
import { recordActivity } from '#server/modules/users/activity.ts'

type Handling = Input<typeof reports.handle>

/**
 * Handles reports about one document together, and acts on the document and its uploader. Those that others have handled in
 * the meantime stay as they are; reports that arrived since the list was loaded stay open.
 */
export function handleReports(ctx: MemberCtx, input: Handling): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const documentId = await findDocumentId(ctx, input.id)
    await lockRows(ctx, 'document', [documentId])
    const handled = await ctx.db
      .updateTable('report')
      .set({
        status: bit(true),
        outcome: input.outcome,
        remark: input.remark,
        answer: input.answer,
        handled_user_id: ctx.viewer.id,
        updated_at: ctx.now(),
      })
      .where('id', 'in', input.id)
      .where('status', '=', bit(false))
      .returning(['id', 'user_id', 'document_title'])
      .execute()
    const [first] = handled
    if (!first) throw errors.reports.handledAlready()
    ctx.audit?.({ ids: handled.map(({ id }) => id), change: describeHandling(first.document_title, input) })
    await actOnDocument(ctx, documentId, input)
    await punishUploader(ctx, documentId, input)
    for (const { user_id: userId, document_title: subject } of handled)
      await recordActivity(ctx, { userId, type: ActivityType.ReportHandled, subject, href: ownReportsPath })
    await publish(ctx, 'reports.decided', { key: ctx.id(), ids: handled.map(({ id }) => id) })
  })
}

export function reopenReports(ctx: MemberCtx, { id }: Input<typeof reports.reopen>): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { numUpdatedRows } = await ctx.db
      .updateTable('report')
      .set({ status: bit(false), outcome: ReportOutcome.Handled, handled_user_id: 0, updated_at: ctx.now() })
      .where('id', 'in', id)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw errors.reports.notFound()
  })
}

/** As older clients do it: ticked off or opened again, with a remark. */
export function updateReport(ctx: MemberCtx, { id, status, remark }: Input<typeof reports.update>): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { db, viewer, now } = ctx
    const before = await db.selectFrom('report').select('status').where('id', '=', id).executeTakeFirst()
    const { numUpdatedRows } = await db
      .updateTable('report')
      .set({
        status: bit(status),
        remark,
        updated_at: now(),
        ...(status ? { handled_user_id: viewer.id } : { outcome: ReportOutcome.Handled, handled_user_id: 0 }),
      })
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw errors.reports.notFound()
    if (status && before?.status === bit(false)) await publish(ctx, 'reports.decided', { key: ctx.id(), ids: [id] })
  })
}

async function findDocumentId({ db }: MemberCtx, ids: readonly number[]): Promise<number> {
  const rows = await db.selectFrom('report').select('document_id').distinct().where('id', 'in', ids).execute()
  const [row] = rows
  if (!row) throw errors.reports.notFound()
  if (rows.length > 1) throw errors.reports.mixed()
  return row.document_id
}

async function actOnDocument(ctx: MemberCtx, id: number, { outcome, punishment_reason }: Handling): Promise<void> {
  if (outcome === ReportOutcome.DocumentDisabled) {
    assertMay(ctx, 'DocumentAPI/CheckDocument')
    await setStatus(ctx, {
      ids: [id],
      status: DocumentStatus.Disabled,
      reason: punishment_reason || '有人举报，经核实属实',
    })
  }
  if (outcome === ReportOutcome.DocumentDeleted) {
    assertMay(ctx, 'DocumentAPI/DeleteDocument')
    await deleteDocuments(ctx, { id: [id] })
  }
}

async function punishUploader(
  ctx: MemberCtx,
  documentId: number,
  { punishment: type, punishment_reason: reason, punishment_end: end_time, remark }: Handling,
): Promise<void> {
  if (type.length === 0) return
  assertMay(ctx, 'PunishmentAPI/CreatePunishment')
  const document = await findDocument(ctx.db, { id: documentId })
  if (!document) throw errors.documents.notFound()
  await punish(ctx, { user_id: [document.user_id], type, enable: true, reason, remark, end_time })
}

function assertMay({ viewer }: MemberCtx, permission: PermissionPath): void {
  if (!viewer.can(permission)) throw errors.access.denied()
}

const ownReportsPath = '/me/report'

function describeHandling(title: string, { outcome, punishment, answer, remark }: Handling): string {
  return describeInput({
    文档: title,
    结果: reportOutcomeLabels[outcome],
    处罚: punishment.map((type) => punishmentLabels[type]),
    answer,
    remark,
  })
}
