import type { Ctx } from '#server/context.ts'
import { enqueue } from '#server/jobs.ts'

/** Has these hosts crawled. Sorted, so that transactions that enqueue several cannot deadlock. */
export async function enqueueHosts(ctx: Ctx, origins: Iterable<string>): Promise<void> {
  for (const origin of [...new Set(origins)].toSorted()) await enqueue(ctx, 'spider.crawl-host', { origin })
}
