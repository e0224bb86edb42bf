import type { ContentType } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import { publish } from '#server/durable-events.ts'

/**
 * Call it in the transaction that makes documents or articles visible to everyone. What was visible before (reviewed again,
 * hidden for a while, in the recycle bin) is not new, and the event is published for the others alone.
 */
export async function recordPublications(ctx: Ctx, type: ContentType, contentIds: readonly number[]): Promise<void> {
  if (contentIds.length === 0) return
  const rows = await ctx.db
    .insertInto('publication')
    .values(contentIds.map((content_id) => ({ content_type: type, content_id, published_at: ctx.now() })))
    .onConflict((conflict) => conflict.columns(['content_type', 'content_id']).doNothing())
    .returning('content_id')
    .execute()
  const ids = rows.map(({ content_id }) => content_id)
  if (ids.length > 0) await publish(ctx, 'content.published', { type, ids })
}
