import { AttachmentType, ContentType } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import { publishedStatuses } from '../documents/published.ts'

interface OwnerChange {
  from: number
  to: number
}

/** Articles, each with up to 50 pictures. */
const batch = 100

/** Of what is not published yet: it could not be, if the former owner is gone. Call it in a transaction. */
export async function changeOwner(ctx: Ctx, sourceId: number, change: OwnerChange): Promise<void> {
  await giveFiles(ctx, sourceId, change)
  await givePictures(ctx, sourceId, change)
  await ctx.db
    .updateTable('spider_document')
    .set({ user_id: change.to, updated_at: ctx.now() })
    .where('source_id', '=', sourceId)
    .where('user_id', '=', change.from)
    .where('status', 'not in', publishedStatuses)
    .execute()
}

async function giveFiles({ db }: Ctx, sourceId: number, { from, to }: OwnerChange): Promise<void> {
  await db
    .updateTable('attachment')
    .set({ user_id: to })
    .where('type', '=', AttachmentType.CrawledDocument)
    .where('type_id', '=', 0)
    .where('user_id', '=', from)
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('spider_document')
        .select('spider_document.attachment_id')
        .where('source_id', '=', sourceId)
        .where('spider_document.user_id', '=', from)
        .where('status', 'not in', publishedStatuses),
    )
    .execute()
}

/** The attachments' sweep keeps pictures by whose they are. */
async function givePictures({ db }: Ctx, sourceId: number, { from, to }: OwnerChange): Promise<void> {
  for (let last = 0; ;) {
    const rows = await db
      .selectFrom('spider_document')
      .select(['id', 'content'])
      .where('source_id', '=', sourceId)
      .where('user_id', '=', from)
      .where('status', 'not in', publishedStatuses)
      .where('target', '=', ContentType.Article)
      .where('id', '>', last)
      .orderBy('id')
      .limit(batch)
      .execute()
    const pictures = new Map(rows.flatMap(({ content }) => picturesOf(content)))
    if (pictures.size > 0)
      await db
        .updateTable('attachment')
        .set({ user_id: to })
        // The index is over the hash.
        .where('hash', 'in', [...pictures.values()])
        .where('path', 'in', [...pictures.keys()])
        .where('type', '=', AttachmentType.Article)
        .where('type_id', '=', 0)
        .where('user_id', '=', from)
        // Uploads of the user, who writes an article, stay.
        .where('ip', '=', '')
        .execute()
    if (rows.length < batch) return
    last = rows.at(-1)?.id ?? 0
  }
}

/** The paths of the pictures, as the crawler has written them, with their hashes. */
function picturesOf(content: string): [path: string, hash: string][] {
  return [...content.matchAll(/<img src="([^"]*\/([0-9a-f]{64})\.\w+)"/g)].map(([, path = '', hash = '']) => [
    path,
    hash,
  ])
}
