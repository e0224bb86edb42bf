import type { documents } from '#shared/contract/documents.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { conversionKey, enqueueConversion, requestRendition } from './documents.renditions.ts'
import { moveDocuments } from './documents.status.ts'

/** Has documents converted anew, or all that failed. What was made before stays in view until the new is there. */
export async function reconvert(
  ctx: Ctx,
  { id }: Input<typeof documents.reconvert>,
): Promise<Reply<typeof documents.reconvert>> {
  const rows = await ctx.db
    .selectFrom('document')
    .select(['id', 'hash', 'ext'])
    .where('deleted_at', 'is', null)
    .where((where) => (id.length > 0 ? where('id', 'in', id) : where('status', '=', 3)))
    .orderBy('id')
    .execute()
  const byContent = Map.groupBy(rows, ({ hash }) => hash)
  // In one order everywhere, so that two who hold several contents cannot wait for each other.
  for (const [hash, documents] of [...byContent].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const ext = documents[0]?.ext ?? ''
    await transaction(ctx, async (ctx) => {
      await startOver(ctx, { hash, ext })
      await moveDocuments(
        ctx,
        documents.map((document) => document.id),
        'reconvert',
      )
    })
  }
  return {}
}

async function startOver(ctx: Ctx, content: { hash: string; ext: string }): Promise<void> {
  const { state } = await requestRendition(ctx, content)
  if (state === 'working') return
  if (state === 'waiting') {
    await ctx.db
      .updateTable('job')
      .set({ run_at: ctx.now() })
      .where('key', '=', conversionKey(content.hash))
      .where('state', '=', 'waiting')
      .execute()
    return ctx.emit('job.waiting', {})
  }
  await ctx.db
    .updateTable('rendition')
    .set({ state: 'waiting', reason: '', detail: '', ext: content.ext })
    .where('hash', '=', content.hash)
    .execute()
  await enqueueConversion(ctx, content)
  ctx.emit('rendition.changed', { hash: content.hash })
}
