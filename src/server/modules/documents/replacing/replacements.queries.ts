import type { Selectable } from 'kysely'
import { ReplacementStatus } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { documentFileTypes } from '#server/modules/attachments/attachments.store.ts'

export type ReplacementRow = Selectable<Tables['document_replacement']>

/** Those that have not taken effect yet. */
const waitingStatuses: readonly ReplacementStatus[] = [ReplacementStatus.InReview, ReplacementStatus.Converting]

/** Of a document, or of a content. A change of one is made with its document locked. */
export function findWaiting(db: Db, of: { documentId: number } | { hash: string }): Promise<ReplacementRow[]> {
  return db
    .selectFrom('document_replacement')
    .selectAll()
    .where((where) => ('hash' in of ? where('hash', '=', of.hash) : where('document_id', '=', of.documentId)))
    .where('status', 'in', waitingStatuses)
    .orderBy('id')
    .execute()
}

export function isWaiting({ status }: Pick<ReplacementRow, 'status'>): boolean {
  return waitingStatuses.includes(status)
}

interface End {
  status: ReplacementStatus
  reason?: string
  reviewerId?: number
}

/** It comes to nothing: its file is no longer needed. */
export async function endReplacement(
  ctx: Ctx,
  { id, attachment_id }: Pick<ReplacementRow, 'id' | 'attachment_id'>,
  { status, reason = '', reviewerId = 0 }: End,
): Promise<void> {
  await ctx.db
    .updateTable('document_replacement')
    .set({ status, reason, reviewer_id: reviewerId, ended_at: ctx.now(), updated_at: ctx.now() })
    .where('id', '=', id)
    .execute()
  await retireFile(ctx, attachment_id)
}

/** The attachments' sweep deletes the content if nothing else refers to it. */
export async function retireFile(ctx: Ctx, attachmentId: number): Promise<void> {
  await ctx.db
    .updateTable('attachment')
    .set({ deleted_at: ctx.now() })
    .where('id', '=', attachmentId)
    .where('type', 'in', documentFileTypes)
    .where('deleted_at', 'is', null)
    .execute()
}
