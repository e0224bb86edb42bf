import type { spiderUrls } from '#shared/contract/spider.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { selectStopped } from '../sources/sources.queries.ts'
import { assertSpiderEnabled } from '../spider.enabled.ts'
import { enqueueHosts } from '../crawl/enqueue-hosts.ts'
import { moveUrls } from '../spider.status.ts'

/** Reads them again as if they were new, without what they answered last time. */
export async function retryUrls(
  ctx: Ctx,
  { id: ids }: Input<typeof spiderUrls.retry>,
): Promise<Reply<typeof spiderUrls.retry>> {
  assertSpiderEnabled(ctx)
  return transaction(ctx, async (ctx) => {
    // Those of a source that is paused or switched off would wait for ever.
    const rows = await ctx.db
      .selectFrom('spider_url')
      .select('id')
      .where('id', 'in', ids)
      .where('source_id', 'not in', selectStopped(ctx.db))
      .execute()
    const requestable = rows.map(({ id }) => id)
    const moved = await moveUrls(ctx, requestable, 'again', {
      reason: '',
      detail: '',
      tries: 0,
      due_at: ctx.now(),
      etag: '',
      last_modified: '',
      content_hash: '',
    })
    if (moved.length > 0) {
      const hosts = await ctx.db.selectFrom('spider_url').select('origin').distinct().where('id', 'in', moved).execute()
      await enqueueHosts(
        ctx,
        hosts.map(({ origin }) => origin),
      )
    }
    return { changed: moved.length, skipped: new Set(ids).size - moved.length }
  })
}

/** What was found on them stays. */
export async function deleteUrls(ctx: Ctx, { id }: Input<typeof spiderUrls.delete>): Promise<void> {
  await transaction(ctx, (ctx) => removeUrls(ctx, id))
}

export async function removeUrls(ctx: Ctx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await ctx.db.deleteFrom('spider_url').where('id', 'in', ids).execute()
  await ctx.db.deleteFrom('spider_log').where('url_id', 'in', ids).execute()
}
