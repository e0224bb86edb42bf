import type { ReviewStatus } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { isTaken } from '#server/db/conflicts.ts'
import type { Uploader } from '#server/modules/attachments/attachments.store.ts'
import { countPublic, noPublicCounts, publishArticles, updateCounters } from '../articles.counts.ts'
import { syncFiles } from '../articles.pictures.ts'
import type { ArticleRow } from '../articles.queries.ts'
import { replaceCategories, resolveCategoryPath } from './categories.ts'
import type { Draft } from './draft.ts'

interface Publication {
  /** The author, to whom the pictures belong too. */
  uploader: Uploader
  /** From the root down; only the last counts. */
  categoryPath: readonly number[]
  status: ReviewStatus
  /** Generated if it is missing or empty. */
  identifier?: string
  isRecommended?: boolean | undefined
  source?: { source_name?: string; source_url?: string }
}

/** Creates an article of a member, or of the crawler, with its pictures. Call it in a transaction. */
export async function insertArticle(ctx: Ctx, draft: Draft, publication: Publication): Promise<ArticleRow> {
  const path = await resolveCategoryPath(ctx, publication.categoryPath)
  const row = await insertRow(ctx, draft.columns, publication)
  await replaceCategories(ctx.db, [row.id], path)
  await updateCounters(ctx.db, noPublicCounts, await countPublic(ctx.db, [row.id]))
  await publishArticles(ctx, [row.id])
  await syncFiles(ctx, { articleId: row.id, paths: draft.uploads, uploader: publication.uploader })
  ctx.emit('article.changed', { ids: [row.id] })
  return row
}

function insertRow(
  ctx: Ctx,
  columns: Draft['columns'],
  { uploader, status, identifier, isRecommended, source }: Publication,
): Promise<ArticleRow> {
  const now = ctx.now()
  return ctx.db
    .insertInto('article')
    .values({
      ...columns,
      ...source,
      identifier: identifier || Buffer.from(ctx.id(), 'base64url').toString('hex').slice(0, 16),
      user_id: uploader.userId,
      status,
      recommend_at: isRecommended ? now : null,
      deleted_at: null,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw isTaken(error, 'identifier') ? errors.articles.identifierTaken() : error
    })
}
