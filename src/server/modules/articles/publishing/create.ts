import { ActivityType, ReviewStatus } from '#shared/enums.ts'
import type { Article, articles } from '#shared/contract/articles.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { isTaken } from '#server/db/conflicts.ts'
import { recordActivity } from '#server/modules/users/activity.ts'
import { assertCanWrite } from '#server/modules/users/users.writing.ts'
import { replaceCategories, assertCategoryOptional, resolveCategoryPath } from './categories.ts'
import { updateCounters, noPublicCounts, countPublic } from '../articles.counts.ts'
import { assertCanSanitize, type Draft, toDraft } from './draft.ts'
import { syncFiles } from '../articles.pictures.ts'
import { isReviewed } from '../articles.policy.ts'
import { presentArticles } from '../articles.present.ts'
import type { ArticleRow } from '../articles.queries.ts'
import type { Sanitizer } from '../articles.sanitizer.ts'
import { consumeArticleQuota } from './quota.ts'

type Form = Input<typeof articles.create>

/** Managers of articles may choose the identifier and a recommendation, and may leave out the category. */
export async function createArticle(ctx: MemberCtx, form: Form, sanitizer: Sanitizer): Promise<Article> {
  assertCanWrite(ctx)
  assertCanSanitize(ctx, form)
  const isManager = ctx.viewer.can('ArticleAPI/CreateArticle')
  if (form.category_id.length === 0 && !isManager) await assertCategoryOptional(ctx)
  await consumeArticleQuota(ctx, form.content)
  const draft = await toDraft(ctx, form, sanitizer)
  return transaction(ctx, async (ctx) => {
    const path = await resolveCategoryPath(ctx, form.category_id)
    const row = await insertArticle(ctx, draft.columns, isManager ? form : { identifier: '' })
    await replaceCategories(ctx.db, [row.id], path)
    await updateCounters(ctx.db, noPublicCounts, await countPublic(ctx.db, [row.id]))
    await syncFiles(ctx, row.id, draft.uploads)
    const { title: subject, user_id: userId } = row
    await recordActivity(ctx, {
      userId,
      type: ActivityType.PublishArticle,
      subject,
      href: `/article/${row.identifier}`,
    })
    ctx.emit('article.changed', { ids: [row.id] })
    const [article] = await presentArticles(ctx, [row])
    if (!article) throw errors.articles.notFound()
    return { ...article, content: row.content }
  })
}

function insertArticle(
  ctx: MemberCtx,
  columns: Draft['columns'],
  { identifier, is_recommend }: Pick<Form, 'identifier' | 'is_recommend'>,
): Promise<ArticleRow> {
  const now = ctx.now()
  return ctx.db
    .insertInto('article')
    .values({
      ...columns,
      identifier: identifier || Buffer.from(ctx.id(), 'base64url').toString('hex').slice(0, 16),
      user_id: ctx.viewer.id,
      status: isReviewed(ctx.viewer) ? ReviewStatus.Pending : ReviewStatus.Approved,
      recommend_at: is_recommend ? now : null,
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
