import type { articles } from '#shared/contract/articles.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { refuseSilenced } from '../users/users.writing.ts'
import { putInto, resolvePath } from './articles.categories.ts'
import { counting } from './articles.counts.ts'
import { isRewritten, redraftOf } from './articles.draft.ts'
import { keepFiles } from './articles.pictures.ts'
import { canSee, isReviewed, owns } from './articles.policy.ts'
import { type ArticleRow, categoriesOf, findArticle } from './articles.queries.ts'
import { takeText } from './articles.quota.ts'

/**
 * Its author and those who manage articles edit it. What its author rewrites is reviewed again, if what they write is; so
 * is what had been rejected, whoever edits it.
 */
export async function updateArticle(ctx: MemberCtx, form: Input<typeof articles.update>): Promise<void> {
  refuseSilenced(ctx)
  const row = await getEditable(ctx, form.id)
  const draft = redraftOf(ctx, row, form)
  const rewritten = isRewritten(row, draft)
  await transaction(ctx, async (ctx) => {
    await takeText(ctx, draft.content)
    const kept = (await categoriesOf(ctx.db, [row.id])).get(row.id) ?? []
    const path = await resolvePath(
      ctx,
      form.category_id,
      kept.map(({ id }) => id),
    )
    await counting(ctx, [row.id], async () => {
      const held = await findArticle(ctx.db, row)
      if (!held || held.deleted_at !== null) throw errors.articles.notFound()
      const recommendation = edits(ctx) ? recommended(ctx, held, form.is_recommend) : {}
      await ctx.db
        .updateTable('article')
        .set({ ...draft, ...recommendation, ...reviewed(ctx, held, rewritten), updated_at: ctx.now() })
        .where('id', '=', row.id)
        .execute()
      if (path.length > 0) await putInto(ctx.db, [row.id], path)
    })
    await keepFiles(ctx, row.id, draft.content)
    await ctx.db.deleteFrom('article_relate').where('article_id', '=', row.id).execute()
    ctx.emit('article.changed', { ids: [row.id] })
  })
}

export async function setCategory(ctx: MemberCtx, input: Input<typeof articles.setCategory>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const path = await resolvePath(ctx, input.category_id)
    await counting(ctx, input.article_id, async () => {
      const rows = await ctx.db
        .updateTable('article')
        .set({ updated_at: ctx.now() })
        .where('id', 'in', input.article_id)
        .where('deleted_at', 'is', null)
        .returning('id')
        .execute()
      if (rows.length === 0) throw errors.articles.notFound()
      const ids = rows.map(({ id }) => id)
      await putInto(ctx.db, ids, path)
      ctx.emit('article.changed', { ids })
    })
  })
}

async function getEditable(ctx: MemberCtx, id: number): Promise<ArticleRow> {
  const row = await findArticle(ctx.db, { id })
  const may = row && (owns(ctx.viewer, row) || edits(ctx))
  if (!row || row.deleted_at !== null || !(may || canSee(ctx.viewer, row))) throw errors.articles.notFound()
  if (!may) throw errors.articles.othersKept()
  return row
}

function edits({ viewer }: MemberCtx): boolean {
  return viewer.can('ArticleAPI/UpdateArticle')
}

/** A form that says no may just not know: only the list takes a recommendation back. */
function recommended(ctx: MemberCtx, { recommend_at }: ArticleRow, wish: boolean | undefined) {
  return wish && recommend_at === null ? { recommend_at: ctx.now() } : {}
}

function reviewed({ viewer }: MemberCtx, { status }: ArticleRow, rewritten: boolean) {
  const again = status === 2 || (status === 1 && rewritten && isReviewed(viewer))
  return again ? { status: 0, reject_reason: '' } : {}
}
