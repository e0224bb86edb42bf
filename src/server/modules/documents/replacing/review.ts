import type { replacements } from '#shared/contract/document-files.ts'
import type { Input } from '#shared/endpoint.ts'
import { ContentType, ReplacementStatus, replacementStatusLabels } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { publish } from '#server/durable-events.ts'
import { requestRendition } from '#server/modules/renditions/request.ts'
import { JobPriority } from '#server/jobs/queue.ts'
import { publishIfConverted } from './publish-file.ts'
import { endReplacement, isWaiting, type ReplacementRow } from './replacements.queries.ts'
import { getReplaceable } from './replacing.policy.ts'

/** It takes effect now, or as soon as it is converted. */
export async function approveReplacement(ctx: MemberCtx, { id }: Input<typeof replacements.approve>): Promise<void> {
  const { hash, ext } = await getReplacement(ctx, id)
  await transaction(ctx, async (ctx) => {
    await requestRendition(ctx, { hash, ext }, { priority: JobPriority.Upload, owner: ctx.viewer.id })
    const replacement = await lockWaiting(ctx, id, [ReplacementStatus.InReview])
    const approved = await ctx.db
      .updateTable('document_replacement')
      .set({ status: ReplacementStatus.Converting, reviewer_id: ctx.viewer.id, updated_at: ctx.now() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await publishIfConverted(ctx, approved)
    await publishDecision(ctx, replacement, { outcome: 'file-approved', reason: '' })
  })
}

export async function rejectReplacement(
  ctx: MemberCtx,
  { id, reason }: Input<typeof replacements.reject>,
): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const replacement = await lockWaiting(ctx, id, [ReplacementStatus.InReview])
    const end = { status: ReplacementStatus.Rejected, reason, reviewerId: ctx.viewer.id }
    await endReplacement(ctx, replacement, end)
    await publishDecision(ctx, replacement, { outcome: 'file-rejected', reason })
  })
}

/** Before it takes effect: the document keeps its file. */
export async function withdrawReplacement(ctx: MemberCtx, { id }: Input<typeof replacements.withdraw>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const { document_id } = await getReplacement(ctx, id)
    await getReplaceable(ctx, document_id)
    const replacement = await lockWaiting(ctx, id, [ReplacementStatus.InReview, ReplacementStatus.Converting])
    await endReplacement(ctx, replacement, { status: ReplacementStatus.Withdrawn })
  })
}

/** With its document locked. Another request may have decided about it meanwhile. */
async function lockWaiting(
  ctx: MemberCtx,
  id: number,
  expected: readonly ReplacementStatus[],
): Promise<ReplacementRow> {
  const { document_id } = await getReplacement(ctx, id)
  await lockRows(ctx, 'document', [document_id])
  const replacement = await getReplacement(ctx, id)
  if (!isWaiting(replacement) || !expected.includes(replacement.status))
    throw errors.documents.replacementOver(replacementStatusLabels[replacement.status])
  return replacement
}

async function getReplacement({ db }: MemberCtx, id: number): Promise<ReplacementRow> {
  const row = await db.selectFrom('document_replacement').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw errors.documents.replacementUnknown()
  return row
}

async function publishDecision(
  ctx: MemberCtx,
  { document_id }: ReplacementRow,
  { outcome, reason }: { outcome: 'file-approved' | 'file-rejected'; reason: string },
): Promise<void> {
  const type = ContentType.Document
  const ids = [document_id]
  await publish(ctx, 'content.reviewed', { key: ctx.id(), type, ids, outcome, reason, reviewer: ctx.viewer.id })
}
