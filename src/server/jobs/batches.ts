import { type Ctx, transaction } from '../context.ts'
import { enqueue, type JobHandlers } from '../jobs.ts'

const batchSize = 200
/** Done while the caller waits; the rest runs in the background. */
const maxWhileWaiting = 1000

/** Processes very many rows in batches: the first of them now, the others by jobs of this kind, whose payload is `{ id }`. */
export async function processInBatches<C extends Ctx>(
  ctx: C,
  kind: keyof Pick<JobHandlers, 'documents.purge' | 'articles.purge'>,
  ids: readonly number[],
  process: (ctx: C, batch: { id: number[] }) => Promise<void>,
): Promise<void> {
  await transaction(ctx, async (ctx) => {
    for (let from = maxWhileWaiting; from < ids.length; from += batchSize)
      await enqueue(ctx, kind, { id: ids.slice(from, from + batchSize) })
  })
  const now = ids.slice(0, maxWhileWaiting)
  for (let from = 0; from < now.length; from += batchSize) await process(ctx, { id: now.slice(from, from + batchSize) })
}
