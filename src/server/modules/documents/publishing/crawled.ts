import { AttachmentType, ContentType, Visibility } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { JobPriority } from '#server/jobs/queue.ts'
import { resolveCategories } from '#server/modules/catalog/categories.service.ts'
import { type ContentSource, toSourceColumns } from '#server/modules/catalog/content-source.ts'
import { getContentOwner } from '#server/modules/users/users.queries.ts'
import { type Facts, insertDocuments, type StoredDocumentFile, toDraft } from './insert.ts'

export interface CrawledPublication extends Facts, ContentSource {
  attachmentId: number
  ownerId: number
  /** May be empty. */
  categoryIds: readonly number[]
  isReviewed: boolean
}

/**
 * Publishes a crawled file, in the caller's transaction if there is one. The owner has done nothing for it: no reward, no
 * quota, no entry among the owner's activities.
 */
export function publishCrawled(ctx: Ctx, input: CrawledPublication): Promise<{ id: number; uuid: string }> {
  return transaction(ctx, async (ctx) => {
    const owner = await getContentOwner(ctx.db, input.ownerId)
    const file = await getCrawledFile(ctx.db, input.attachmentId)
    const [row] = await insertDocuments(ctx, [await toDraft(ctx, input, file)], {
      ownerId: owner.id,
      categories: await resolveCategories(ctx, input.categoryIds, ContentType.Document),
      groups: [],
      visibility: Visibility.Public,
      downloadable: true,
      isReviewed: input.isReviewed,
      // Without an owner: thousands of crawled files neither take turns with members nor use up the turns of their owner.
      position: { priority: JobPriority.Crawled },
      source: toSourceColumns(input),
    })
    if (!row) throw errors.documents.crawledFileGone()
    return { id: row.id, uuid: row.uuid }
  })
}

async function getCrawledFile(db: Db, id: number): Promise<StoredDocumentFile> {
  const file = await db
    .selectFrom('attachment')
    .selectAll()
    .where('id', '=', id)
    .where('type', '=', AttachmentType.CrawledDocument)
    .where('type_id', '=', 0)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!file) throw errors.documents.crawledFileGone()
  return file
}
