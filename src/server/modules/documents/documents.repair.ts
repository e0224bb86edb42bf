import { JobPriority } from '#server/jobs/queue.ts'
import { convertingStatuses } from '#shared/document-status.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { findRendition } from '#server/modules/renditions/renditions.queries.ts'
import { requestRendition } from '#server/modules/renditions/request.ts'
import { moveDocuments } from './documents.status.ts'

const batchSize = 200

/** Documents that wait for a conversion which has ended: they were approved or restored after it. */
export async function repairDocuments(ctx: Ctx): Promise<void> {
  const stuck = await ctx.db
    .selectFrom('document')
    .leftJoin('rendition', 'rendition.hash', 'document.hash')
    .select(['document.id', 'document.hash', 'document.ext'])
    .where('document.status', 'in', [...convertingStatuses])
    .where(({ or, eb }) => or([eb('rendition.hash', 'is', null), eb('rendition.state', 'in', ['done', 'failed'])]))
    .orderBy('document.id')
    .limit(batchSize)
    .execute()
  for (const document of stuck) await repairDocument(ctx, document)
}

async function repairDocument(ctx: Ctx, { id, hash, ext }: { id: number; hash: string; ext: string }): Promise<void> {
  await transaction(ctx, async (ctx) => {
    // The write locks the rendition, so that it does not change before the document has followed it.
    await ctx.db.updateTable('rendition').set({ updated_at: ctx.now() }).where('hash', '=', hash).execute()
    const rendition = await findRendition(ctx.db, hash)
    if (!rendition) await requestRendition(ctx, { hash, ext }, { priority: JobPriority.Normal, owner: 0 })
    if (rendition?.state === 'failed') await moveDocuments(ctx, [id], 'fail')
    if (rendition?.state !== 'done') return
    const { pages, width, height } = rendition
    await ctx.db.updateTable('document').set({ pages, width, height }).where('id', '=', id).execute()
    await moveDocuments(ctx, [id], 'succeed')
  })
}
