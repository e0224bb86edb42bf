import { type DocumentEvent, type DocumentStatus, documentStatusLabels, nextStatus } from '#shared/document-status.ts'
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
      .select(['id', 'status', 'pages'])
      .where('id', 'in', ids)
      .orderBy('id')
      .execute()
    const moved: MoveResult = { ids: [], rejected: [] }
    const published: number[] = []
    for (const row of rows) {
      const to = nextStatus(row.status, event, row.pages > 0)
      if (to === undefined) {
        moved.rejected.push(row)
        continue
      }
      const change = await setStatus(ctx, row, to, reason)
      if (change) moved.ids.push(row.id)
      if (change?.isPublished) published.push(row.id)
    }
    await recordPublications(ctx, ContentType.Document, published)
    if (moved.ids.length > 0) ctx.emit('document.changed', { ids: moved.ids })
    if (moved.ids.length > 0 && event === 'fail')
      await publish(ctx, 'documents.conversion-failed', { key: ctx.id(), ids: moved.ids })
    return moved
  })
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
