import type { Ctx } from '#server/context.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import type { RenditionObserver } from '#server/modules/renditions/observer.ts'
import { findIdsByContent } from './documents.queries.ts'
import { moveDocuments } from './documents.status.ts'
import { publishWaiting } from './replacing/publish-file.ts'
import { findWaiting } from './replacing/replacements.queries.ts'

/** Documents follow the conversion of their content. */
export const documentsOfRendition: RenditionObserver = {
  async moved(ctx, hash, event, shape) {
    if (event === 'succeed' || event === 'fail') await publishReplacements(ctx, hash, event)
    const ids = await findIdsByContent(ctx.db, hash)
    if (shape) {
      await lockRows(ctx, 'document', ids)
      await ctx.db.updateTable('document').set(shape).where('hash', '=', hash).execute()
    }
    await moveDocuments(ctx, ids, event)
  },
  async isUsed(ctx, hash) {
    return (await isDocument(ctx, hash)) || (await isUploaded(ctx, hash))
  },
}

/** All documents are locked at once, in id order: those that have the content, and those that get it. */
async function publishReplacements(ctx: Ctx, hash: string, event: 'succeed' | 'fail'): Promise<void> {
  const waiting = await findWaiting(ctx.db, { hash })
  if (waiting.length === 0) return
  const ids = await findIdsByContent(ctx.db, hash)
  await lockRows(ctx, 'document', [...ids, ...waiting.map(({ document_id }) => document_id)])
  await publishWaiting(ctx, hash, event)
}

async function isDocument({ db }: Ctx, hash: string): Promise<boolean> {
  return (await db.selectFrom('document').select('id').where('hash', '=', hash).executeTakeFirst()) !== undefined
}

async function isUploaded({ db }: Ctx, hash: string): Promise<boolean> {
  const attachment = await db
    .selectFrom('attachment')
    .select('id')
    .where('hash', '=', hash)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return attachment !== undefined
}
