import { type DocumentEvent, type DocumentStatus, documentStatusLabels, nextStatus } from '#shared/document-status.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { countDocuments } from './documents.counts.ts'
import { isPublic } from './documents.policy.ts'

interface Moved {
  /** Documents the event has moved. */
  ids: number[]
  /** Documents in whose state it means nothing. */
  left: { id: number; status: number }[]
}

/** The one way a document's status changes. Counts follow: only what everybody may see is counted. */
export async function moveDocuments(
  ctx: Ctx,
  ids: readonly number[],
  event: DocumentEvent,
  { reason = '' } = {},
): Promise<Moved> {
  if (ids.length === 0) return { ids: [], left: [] }
  return transaction(ctx, async (ctx) => {
    const rows = await ctx.db
      .selectFrom('document')
      .select(['id', 'status', 'pages'])
      .where('id', 'in', ids)
      .orderBy('id')
      .execute()
    const moved: Moved = { ids: [], left: [] }
    for (const row of rows) {
      const to = nextStatus(row.status, event, row.pages > 0)
      if (to === undefined) moved.left.push(row)
      else if (await change(ctx, row, to, reason)) moved.ids.push(row.id)
    }
    if (moved.ids.length > 0) ctx.emit('document.changed', { ids: moved.ids })
    return moved
  })
}

/** As `moveDocuments`, for people's wishes: what cannot be done is said. */
export async function moveOrRefuse(ctx: Ctx, ids: readonly number[], event: DocumentEvent, given = {}): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const { left } = await moveDocuments(ctx, ids, event, given)
    const [stuck] = left
    if (stuck) throw errors.documents.statusDenied(documentStatusLabels[stuck.status as DocumentStatus])
  })
}

/** False when another has moved it in the meantime. */
async function change(
  ctx: Ctx,
  row: { id: number; status: number },
  to: DocumentStatus,
  reason: string,
): Promise<boolean> {
  const changed = await ctx.db
    .updateTable('document')
    .set({ status: to, reject_reason: reason, updated_at: ctx.now() })
    .where('id', '=', row.id)
    .where('status', '=', row.status)
    // As it is now that the row is held: somebody may have deleted it a moment ago, and counted that.
    .returning('deleted_at')
    .executeTakeFirst()
  if (!changed) return false
  const [before, after] = [isPublic({ ...changed, status: row.status }), isPublic({ ...changed, status: to })]
  if (before !== after) await countDocuments(ctx.db, [row.id], after ? 1 : -1)
  return true
}
