import { ContentType } from '#shared/enums.ts'
import type { documentRecycle } from '#shared/contract/documents.ts'
import type { Input } from '#shared/endpoint.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { publish } from '#server/durable-events.ts'
import { processInBatches } from '#server/jobs/batches.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { documentFileTypes } from '#server/modules/attachments/attachments.store.ts'
import { countDocuments } from '../documents.counts.ts'
import { isPublic } from '../documents.policy.ts'

export async function recoverDocuments(ctx: MemberCtx, { id }: Input<typeof documentRecycle.restore>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    await lockRows(ctx, 'document', id)
    const rows = await ctx.db
      .updateTable('document')
      .set({ deleted_at: null, deleted_user_id: 0, updated_at: ctx.now() })
      .where('id', 'in', id)
      .where('deleted_at', 'is not', null)
      .returning(['id', 'status', 'visibility', 'deleted_at'])
      .execute()
    await countDocuments(
      ctx.db,
      rows.filter(isPublic).map((row) => row.id),
      1,
    )
    ctx.emit('document.changed', { ids: rows.map((row) => row.id) })
  })
}

/** Deletes documents in the recycle bin for good. The attachments' sweep deletes files that nothing else uses. */
export async function purgeDocuments(ctx: Ctx, { id }: Input<typeof documentRecycle.delete>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    await lockRows(ctx, 'document', id)
    const rows = await ctx.db
      .deleteFrom('document')
      .where('id', 'in', id)
      .where('deleted_at', 'is not', null)
      .returning('id')
      .execute()
    const ids = rows.map((row) => row.id)
    if (ids.length === 0) return
    await ctx.db.deleteFrom('document_category').where('document_id', 'in', ids).execute()
    await ctx.db.deleteFrom('document_group').where('document_id', 'in', ids).execute()
    await ctx.db.deleteFrom('document_share').where('document_id', 'in', ids).execute()
    await ctx.db.deleteFrom('document_score').where('document_id', 'in', ids).execute()
    await ctx.db.deleteFrom('document_replacement').where('document_id', 'in', ids).execute()
    await ctx.db.deleteFrom('document_relate').where('document_id', 'in', ids).execute()
    await ctx.db
      .updateTable('attachment')
      .set({ deleted_at: ctx.now() })
      .where('type', 'in', documentFileTypes)
      .where('type_id', 'in', ids)
      .where('deleted_at', 'is', null)
      .execute()
    await publish(ctx, 'content.purged', { type: ContentType.Document, ids })
    ctx.emit('document.changed', { ids })
  })
}

export async function clearRecycled(ctx: MemberCtx): Promise<void> {
  const rows = await ctx.db
    .selectFrom('document')
    .select('id')
    .where('deleted_at', 'is not', null)
    .orderBy('id')
    .execute()
  const ids = rows.map(({ id }) => id)
  await processInBatches(ctx, 'documents.purge', ids, purgeDocuments)
}
