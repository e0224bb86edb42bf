import { ReviewStatus } from '#shared/enums.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { type ContentSource, toSourceColumns } from '#server/modules/catalog/content-source.ts'
import { getContentOwner } from '#server/modules/users/users.queries.ts'
import type { Sanitizer } from '../articles.sanitizer.ts'
import { assertCanSanitize, toDraft } from './draft.ts'
import { insertArticle } from './insert.ts'

export interface CrawledArticle extends ContentSource {
  ownerId: number
  title: string
  description: string
  keywords: string
  /** HTML as it was found; its pictures are uploads of the owner already. */
  content: string
  /** From the root down; may be empty. */
  categoryIds: readonly number[]
  isReviewed: boolean
}

interface PublishedArticle {
  id: number
  identifier: string
}

const maxTitleLength = 255
const maxDescriptionLength = 1024

/**
 * Sanitizes a crawled article as any other, which may take long. `publish`, in the caller's transaction if there is one,
 * asks for no quota and makes no entry among the owner's activities.
 */
export async function prepareCrawledArticle(
  ctx: Ctx,
  { ownerId, categoryIds, isReviewed, ...article }: CrawledArticle,
  sanitizer: Sanitizer,
): Promise<{ publish: (ctx: Ctx) => Promise<PublishedArticle> }> {
  const form = {
    ...article,
    title: article.title.slice(0, maxTitleLength).toWellFormed(),
    description: article.description.slice(0, maxDescriptionLength).toWellFormed(),
  }
  assertCanSanitize(ctx, form)
  const draft = await toDraft(ctx, form, sanitizer)
  return {
    publish: (ctx) =>
      transaction(ctx, async (ctx) => {
        const owner = await getContentOwner(ctx.db, ownerId)
        const { id, identifier } = await insertArticle(ctx, draft, {
          uploader: { userId: owner.id, ip: '' },
          categoryPath: categoryIds,
          status: isReviewed ? ReviewStatus.Pending : ReviewStatus.Approved,
          source: toSourceColumns(article),
        })
        return { id, identifier }
      }),
  }
}
