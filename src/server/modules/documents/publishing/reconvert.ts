import type { documents } from '#shared/contract/documents.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { enqueue } from '#server/jobs/queue.ts'
import {
  afterOthers,
  conversionKey,
  enqueueConversion,
  requestRendition,
} from '#server/modules/renditions/renditions.queries.ts'
import { moveDocuments } from '../documents.status.ts'

interface Content {
  hash: string
  ext: string
}

/** What one waits for; the rest is begun in the background. */
const atOnce = 200

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
  await transaction(ctx, async (ctx) => {
    for (let at = atOnce; at < rows.length; at += atOnce) {
      const later = rows.slice(at, at + atOnce).map((row) => row.id)
      await enqueue(ctx, { kind: 'documents.reconvert', payload: { id: later } })
    }
  })
  const byContent = Map.groupBy(rows.slice(0, atOnce), ({ hash }) => hash)
  for (const content of contentsOf(rows.slice(0, atOnce))) {
    const documents = byContent.get(content.hash) ?? []
    await transaction(ctx, async (ctx) => {
      await startOver(ctx, [content])
      await moveDocuments(
        ctx,
        documents.map((document) => document.id),
        'reconvert',
      )
    })
  }
  return {}
}

/** Their contents are converted anew. Call it before any of the documents is held: who ends a conversion holds its content first. */
export async function startOver(ctx: Ctx, documents: readonly Content[]): Promise<void> {
  for (const content of contentsOf(documents)) await startOverOne(ctx, content)
}

/** Each once, in one order everywhere, so that two who hold several cannot wait for each other. */
function contentsOf(documents: readonly Content[]): Content[] {
  const contents = new Map(documents.map(({ hash, ext }) => [hash, { hash, ext }]))
  return [...contents.values()].toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
}

async function startOverOne(ctx: Ctx, content: Content): Promise<void> {
  const { state } = await requestRendition(ctx, content, afterOthers)
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
  await enqueueConversion(ctx, content, afterOthers)
  ctx.emit('rendition.changed', { hash: content.hash })
}
