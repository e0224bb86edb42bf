import { ReviewStatus } from '#shared/enums.ts'
import type { articles } from '#shared/contract/articles.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { uploaderOf } from '#server/modules/attachments/attachments.store.ts'
import { changedSource } from '#server/modules/catalog/content-source.ts'
import { assertNotSilenced } from '#server/modules/users/users.writing.ts'
import { replaceCategories, resolveCategoryPath } from './categories.ts'
import { changeArticles } from '../articles.counts.ts'
import { assertCanSanitize, isRewritten, toUpdatedDraft } from './draft.ts'
import { syncFiles } from '../articles.pictures.ts'
import { type ArticleAccess, canSee, isReviewed, owns } from '../articles.policy.ts'
import { type ArticleRow, findCategories, findArticle } from '../articles.queries.ts'
import type { Sanitizer } from '../articles.sanitizer.ts'
import { endDraft } from '../drafts/end-draft.ts'
import { recordVersion } from '../versions/record.ts'
import { consumeTextQuota } from './quota.ts'

/**
 * For its author and managers of articles. What an author rewrites is reviewed again if their articles are; a rejected
 * article is reviewed again after any edit.
 */
export async function updateArticle(
  ctx: MemberCtx,
  form: Input<typeof articles.update>,
  sanitizer: Sanitizer,
): Promise<void> {
  assertNotSilenced(ctx)
  const row = await getEditable(ctx, form.id)
  assertCanSanitize(ctx, form, row)
  await consumeTextQuota(ctx, form.content)
  const draft = await toUpdatedDraft(ctx, row, form, sanitizer)
  const isChanged = isRewritten(row, draft)
  await transaction(ctx, async (ctx) => {
    const current = (await findCategories(ctx.db, [row.id])).get(row.id) ?? []
    const path = await resolveCategoryPath(
      ctx,
      form.category_id,
      current.map(({ id }) => id),
    )
    await changeArticles(ctx, [row.id], async () => {
      const locked = await findArticle(ctx.db, row)
      if (!locked || locked.deleted_at !== null) throw errors.articles.notFound()
      const recommendation = canEditAny(ctx) ? recommendationChange(ctx, locked, form.is_recommend) : {}
      const source = canEditAny(ctx) ? changedSource(form) : {}
      await ctx.db
        .updateTable('article')
        .set({
          ...draft.columns,
          ...source,
          ...recommendation,
          ...statusChange(ctx, locked, isChanged),
          updated_at: ctx.now(),
        })
        .where('id', '=', row.id)
        .execute()
      if (isRewritten(locked, draft)) await recordVersion(ctx, locked, draft)
      if (path.length > 0) await replaceCategories(ctx.db, [row.id], path)
    })
    await syncFiles(ctx, { articleId: row.id, paths: draft.uploads, uploader: uploaderOf(ctx) })
    await ctx.db.deleteFrom('article_relate').where('article_id', '=', row.id).execute()
    await endDraft(ctx, form)
    ctx.emit('article.changed', { ids: [row.id] })
  })
}

export async function setCategory(ctx: MemberCtx, input: Input<typeof articles.setCategory>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const path = await resolveCategoryPath(ctx, input.category_id)
    await changeArticles(ctx, input.article_id, async () => {
      const rows = await ctx.db
        .updateTable('article')
        .set({ updated_at: ctx.now() })
        .where('id', 'in', input.article_id)
        .where('deleted_at', 'is', null)
        .returning('id')
        .execute()
      if (rows.length === 0) throw errors.articles.notFound()
      const ids = rows.map(({ id }) => id)
      await replaceCategories(ctx.db, ids, path)
      ctx.emit('article.changed', { ids })
    })
  })
}

async function getEditable(ctx: MemberCtx, id: number): Promise<ArticleRow> {
  const row = await findArticle(ctx.db, { id })
  return assertEditable(ctx, row)
}

/** For what belongs to an article, without reading its text. */
export async function assertCanEdit(ctx: MemberCtx, id: number): Promise<void> {
  const columns = ['id', 'user_id', 'status', 'deleted_at'] as const
  const row = await ctx.db.selectFrom('article').select(columns).where('id', '=', id).executeTakeFirst()
  assertEditable(ctx, row)
}

function assertEditable<R extends ArticleAccess>(ctx: MemberCtx, row: R | undefined): R {
  const isAllowed = row && (owns(ctx.viewer, row) || canEditAny(ctx))
  if (!row || row.deleted_at !== null || !(isAllowed || canSee(ctx.viewer, row))) throw errors.articles.notFound()
  if (!isAllowed) throw errors.articles.othersKept()
  return row
}

function canEditAny({ viewer }: MemberCtx): boolean {
  return viewer.can('ArticleAPI/UpdateArticle')
}

/** A form may not know the current value, so `false` changes nothing: recommendations are withdrawn in the list. */
function recommendationChange(ctx: MemberCtx, { recommend_at }: ArticleRow, isWanted: boolean | undefined) {
  return isWanted && recommend_at === null ? { recommend_at: ctx.now() } : {}
}

function statusChange({ viewer }: MemberCtx, { status }: ArticleRow, isChanged: boolean) {
  const isReviewedAgain =
    status === ReviewStatus.Rejected || (status === ReviewStatus.Approved && isChanged && isReviewed(viewer))
  return isReviewedAgain ? { status: ReviewStatus.Pending, reject_reason: '' } : {}
}
