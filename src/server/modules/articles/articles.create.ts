import type { Article, articles } from '#shared/contract/articles.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { isTaken } from '#server/db/conflicts.ts'
import { recordDynamic } from '#server/modules/users/activity.ts'
import { refuseWriter } from '../users/users.writing.ts'
import { putInto, refuseUnsorted, resolvePath } from './articles.categories.ts'
import { countChange, noneShown, shownOf } from './articles.counts.ts'
import { type Draft, draftOf } from './articles.draft.ts'
import { keepFiles } from './articles.pictures.ts'
import { isReviewed } from './articles.policy.ts'
import { presentArticles } from './articles.present.ts'
import type { ArticleRow } from './articles.queries.ts'
import { takeArticle } from './articles.quota.ts'

type Form = Input<typeof articles.create>

/** Those who manage articles choose an address, a recommendation, and whether it belongs to a category at all. */
export async function createArticle(ctx: MemberCtx, form: Form): Promise<Article> {
  refuseWriter(ctx)
  const manages = ctx.viewer.can('ArticleAPI/CreateArticle')
  const draft = draftOf(ctx, form)
  return transaction(ctx, async (ctx) => {
    await takeArticle(ctx, draft.content)
    if (form.category_id.length === 0 && !manages) await refuseUnsorted(ctx)
    const path = await resolvePath(ctx, form.category_id)
    const row = await publish(ctx, draft, manages ? form : { identifier: '' })
    await putInto(ctx.db, [row.id], path)
    await countChange(ctx.db, noneShown, await shownOf(ctx.db, [row.id]))
    await keepFiles(ctx, row.id, row.content)
    const { title: subject, user_id: userId } = row
    await recordDynamic(ctx, { userId, type: 15, subject, href: `/article/${row.identifier}` })
    ctx.emit('article.changed', { ids: [row.id] })
    const [shown] = await presentArticles(ctx, [row])
    if (!shown) throw errors.articles.notFound()
    return { ...shown, content: row.content }
  })
}

function publish(
  ctx: MemberCtx,
  draft: Draft,
  { identifier, is_recommend }: Pick<Form, 'identifier' | 'is_recommend'>,
): Promise<ArticleRow> {
  const now = ctx.now()
  return ctx.db
    .insertInto('article')
    .values({
      ...draft,
      identifier: identifier || Buffer.from(ctx.id(), 'base64url').toString('hex').slice(0, 16),
      user_id: ctx.viewer.id,
      status: isReviewed(ctx.viewer) ? 0 : 1,
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
