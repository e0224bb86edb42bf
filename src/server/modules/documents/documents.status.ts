import { unpreviewableReason } from '#shared/conversion.ts'
import { type DocumentEvent, DocumentStatus, documentStatusLabels, nextStatus } from '#shared/document-status.ts'
import { ContentType } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { publish } from '#server/durable-events.ts'
import { recordPublications } from '#server/modules/catalog/publications.ts'
import { countDocuments } from './documents.counts.ts'
import { isPublic } from './documents.policy.ts'

interface MoveResult {
  /** Documents whose status has changed. */
  ids: number[]
  /** Documents in whose status the event means nothing. */
  rejected: { id: number; status: DocumentStatus }[]
}

/** The one place where a document's status changes. Counters follow: they count public documents only. */
export async function moveDocuments(
  ctx: Ctx,
  ids: readonly number[],
  event: DocumentEvent,
  { reason = '' } = {},
): Promise<MoveResult> {
  if (ids.length === 0) return { ids: [], rejected: [] }
  return transaction(ctx, async (ctx) => {
    const rows = await ctx.db
      .selectFrom('document')
      .leftJoin('rendition', 'rendition.hash', 'document.hash')
      .select(['document.id', 'document.status', 'document.pages', 'rendition.state', 'rendition.reason'])
      .where('document.id', 'in', ids)
      .orderBy('document.id')
      .execute()
    const moved: MoveResult = { ids: [], rejected: [] }
    const published: number[] = []
    const failed: number[] = []
    for (const row of rows) {
      const to = destinationOf(row, event)
      if (to === undefined) {
        moved.rejected.push(row)
        continue
      }
      const change = await setStatus(ctx, row, to, reason)
      if (change) moved.ids.push(row.id)
      if (change && event === 'fail' && row.reason !== unpreviewableReason) failed.push(row.id)
      if (change?.isPublished) published.push(row.id)
    }
    await recordPublications(ctx, ContentType.Document, published)
    if (moved.ids.length > 0) ctx.emit('document.changed', { ids: moved.ids })
    if (failed.length > 0) await publish(ctx, 'documents.conversion-failed', { key: ctx.id(), ids: failed })
    return moved
  })
}

interface MovableRow {
  status: DocumentStatus
  pages: number
  /** The state and the reason of the rendition of its content. */
  state: string | null
  reason: string | null
}

/** Reviewers decide about what can be read, or never has pages; a file that cannot be converted is its owner's matter. */
function destinationOf({ status, pages, state, reason }: MovableRow, event: DocumentEvent): DocumentStatus | undefined {
  const to = nextStatus(status, event, pages > 0)
  const isUnpreviewable = reason === unpreviewableReason
  if (status === DocumentStatus.InReview && event === 'fail' && (isUnpreviewable || pages > 0)) return undefined
  const hasFailed = state === 'failed' && pages === 0 && !isUnpreviewable
  return to === DocumentStatus.InReview && event === 'review' && hasFailed ? DocumentStatus.FailedInReview : to
}

/** As `moveDocuments`, but all or none: throws if the event means nothing to one of them. */
export async function moveAllDocuments(
  ctx: Ctx,
  ids: readonly number[],
  event: DocumentEvent,
  options = {},
): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const { rejected } = await moveDocuments(ctx, ids, event, options)
    const [first] = rejected
    if (first) throw errors.documents.statusDenied({ status: documentStatusLabels[first.status] })
  })
}

/** Undefined when a concurrent transaction has changed it. */
async function setStatus(
  ctx: Ctx,
  row: { id: number; status: DocumentStatus },
  to: DocumentStatus,
  reason: string,
): Promise<{ isPublished: boolean } | undefined> {
  const changed = await ctx.db
    .updateTable('document')
    .set({ status: to, reject_reason: reason, updated_at: ctx.now() })
    .where('id', '=', row.id)
    .where('status', '=', row.status)
    // As it is now that the row is locked: a deletion may have come between, and has been counted.
    .returning(['deleted_at', 'visibility'])
    .executeTakeFirst()
  if (!changed) return undefined
  const [before, after] = [isPublic({ ...changed, status: row.status }), isPublic({ ...changed, status: to })]
  if (before !== after) await countDocuments(ctx.db, [row.id], after ? 1 : -1)
  return { isPublished: !before && after }
}
