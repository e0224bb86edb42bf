import type { spiderSources } from '#shared/contract/spider.ts'
import type { Input } from '#shared/endpoint.ts'
import { SpiderDocumentStatus, SpiderSourceState } from '#shared/spider.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { removeDocuments } from '../documents/delete.ts'
import { publishedStatuses } from '../documents/published.ts'
import { removeUrls } from '../urls/change.ts'

const batch = 500

/**
 * In batches, as a source may have very many links: a transaction over all of them would block the site. The source itself
 * goes last, so that a deletion that was interrupted can be repeated.
 */
export async function deleteSources(ctx: Ctx, { id: ids }: Input<typeof spiderSources.delete>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const rows = await ctx.db
      .updateTable('spider_source')
      .set({ enable: 0, state: SpiderSourceState.Idle, next_run_at: null, updated_at: ctx.now() })
      .where('id', 'in', ids)
      .returning('name')
      .execute()
    ctx.audit?.({ change: rows.map(({ name }) => name).join(',') })
  })
  while (await deleteBatch(ctx, ids));
  await transaction(ctx, async (ctx) => {
    // What a crawl that was under way has added meanwhile.
    while (await deleteBatch(ctx, ids));
    await ctx.db
      .updateTable('spider_document')
      .set(({ eb, ref }) => ({
        // What is being published still has to know that it was of a source: see `publishDocument`.
        source_id: eb.case().when('status', '=', SpiderDocumentStatus.Publishing).then(ref('source_id')).else(0).end(),
        url_id: 0,
        check_due: 0,
      }))
      .where('source_id', 'in', ids)
      .execute()
    await ctx.db.deleteFrom('spider_source').where('id', 'in', ids).execute()
  })
}

/** Whether there may be more. */
async function deleteBatch(ctx: Ctx, sourceIds: readonly number[]): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    const documents = await ctx.db
      .selectFrom('spider_document')
      .select('id')
      .where('source_id', 'in', sourceIds)
      .where('status', 'not in', publishedStatuses)
      .limit(batch)
      .execute()
    const urls = await ctx.db
      .selectFrom('spider_url')
      .select('id')
      .where('source_id', 'in', sourceIds)
      .limit(batch)
      .execute()
    await removeDocuments(
      ctx,
      documents.map(({ id }) => id),
    )
    await removeUrls(
      ctx,
      urls.map(({ id }) => id),
    )
    return documents.length === batch || urls.length === batch
  })
}
