import { ActivityType, ReviewStatus } from '#shared/enums.ts'
import type { Article, articles } from '#shared/contract/articles.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { uploaderOf } from '#server/modules/attachments/attachments.store.ts'
import { changedSource } from '#server/modules/catalog/content-source.ts'
import { recordActivity } from '#server/modules/users/activity.ts'
import { assertCanWrite } from '#server/modules/users/users.writing.ts'
import { assertCategoryOptional } from './categories.ts'
import { assertCanSanitize, toDraft } from './draft.ts'
import { isReviewed } from '../articles.policy.ts'
import { presentArticles } from '../articles.present.ts'
import type { Sanitizer } from '../articles.sanitizer.ts'
import { endDraft } from '../drafts/end-draft.ts'
import { insertArticle } from './insert.ts'
import { consumeArticleQuota } from './quota.ts'

type Form = Input<typeof articles.create>

/** Managers of articles may choose the identifier, a recommendation and the source, and may leave out the category. */
export async function createArticle(ctx: MemberCtx, form: Form, sanitizer: Sanitizer): Promise<Article> {
  assertCanWrite(ctx)
  assertCanSanitize(ctx, form)
  const isManager = ctx.viewer.can('ArticleAPI/CreateArticle')
  if (form.category_id.length === 0 && !isManager) await assertCategoryOptional(ctx)
  await consumeArticleQuota(ctx, form.content)
  const draft = await toDraft(ctx, form, sanitizer)
  const { identifier, is_recommend } = form
  return transaction(ctx, async (ctx) => {
    const row = await insertArticle(ctx, draft, {
      categoryPath: form.category_id,
      uploader: uploaderOf(ctx),
      status: isReviewed(ctx.viewer) ? ReviewStatus.Pending : ReviewStatus.Approved,
      ...(isManager && { identifier, isRecommended: is_recommend, source: changedSource(form) }),
    })
    await endDraft(ctx, form)
    const { title: subject, user_id: userId } = row
    await recordActivity(ctx, {
      userId,
      type: ActivityType.PublishArticle,
      subject,
      href: `/article/${row.identifier}`,
    })
    const [article] = await presentArticles(ctx, [row])
    if (!article) throw errors.articles.notFound()
    return { ...article, content: row.content }
  })
}
