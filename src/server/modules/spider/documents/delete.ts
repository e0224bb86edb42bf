import { AttachmentType } from '#shared/enums.ts'
import type { spiderDocuments } from '#shared/contract/spider.ts'
import type { Input } from '#shared/endpoint.ts'
import { type Ctx, transaction } from '#server/context.ts'

/** What they have become stays in the library. */
export async function deleteDocuments(ctx: Ctx, { id }: Input<typeof spiderDocuments.delete>): Promise<void> {
  await transaction(ctx, (ctx) => removeDocuments(ctx, id))
}

/** With their logs. Their files are free for the attachments' sweep, unless they belong to a document of the library. */
export async function removeDocuments(ctx: Ctx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await ctx.db.deleteFrom('spider_document').where('id', 'in', ids).returning('attachment_id').execute()
  await ctx.db.deleteFrom('spider_log').where('spider_document_id', 'in', ids).execute()
  const files = rows.map(({ attachment_id }) => attachment_id).filter((id) => id > 0)
  if (files.length === 0) return
  await ctx.db
    .updateTable('attachment')
    .set({ deleted_at: ctx.now() })
    .where('id', 'in', files)
    .where('type', '=', AttachmentType.CrawledDocument)
    .where('type_id', '=', 0)
    .where('deleted_at', 'is', null)
    .execute()
}
