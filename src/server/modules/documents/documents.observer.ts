import type { Ctx } from '#server/context.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import type { RenditionObserver } from '#server/modules/renditions/observer.ts'
import { findIdsByContent } from './documents.queries.ts'
import { moveDocuments } from './documents.status.ts'

/** Documents follow the conversion of their content. */
export const documentsOfRendition: RenditionObserver = {
  async moved(ctx, hash, event, shape) {
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
