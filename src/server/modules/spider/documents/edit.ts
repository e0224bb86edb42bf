import { spiderDocuments } from '#shared/contract/spider.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { ContentType } from '#shared/enums.ts'
import { AppError, errors } from '#shared/errors.ts'
import { describeDiff } from '#server/audit-text.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { cleanKeywords } from '#server/modules/catalog/keywords.ts'
import { loadTree } from '#server/modules/catalog/categories.queries.ts'
import { resolveLanguage } from '#server/modules/catalog/languages.service.ts'
import { writeLog } from '../spider.log.ts'
import { publishedStatuses } from './published.ts'
import {
  describeCategories,
  findCategoryProblem,
  getCategoryTarget,
  readCategories,
  writeCategories,
} from './categories.ts'

export async function updateDocument(
  ctx: Ctx,
  { id, category_id, ...form }: Input<typeof spiderDocuments.update>,
): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const row = await ctx.db
      .selectFrom('spider_document')
      .select(['target', 'status', 'title', 'description', 'keywords', 'language', 'price', 'category_ids'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!row) throw errors.spider.documentNotFound()
    const problem = findCategoryProblem(await loadTree(ctx.db), category_id, row.target)
    if (problem) throw errors.request.invalid(problem).at('category_id')
    // It may be in a language that the site has deleted.
    const language = form.language === row.language ? row.language : await getLanguage(ctx, form.language)
    const changes = { ...form, keywords: cleanKeywords(form.keywords), language }
    const updated = await ctx.db
      .updateTable('spider_document')
      .set({ ...changes, category_ids: writeCategories(category_id), updated_at: ctx.now() })
      .where('id', '=', id)
      .where('status', 'not in', publishedStatuses)
      .returning('id')
      .execute()
    if (updated.length === 0) throw errors.spider.documentPublished()
    const before = { ...row, category_id: await describeCategories(ctx.db, readCategories(row)) }
    const after = { ...changes, category_id: await describeCategories(ctx.db, category_id) }
    await note(ctx, [id], describeDiff(before, after, spiderDocuments.update.input))
  })
}

/** Documents and articles have categories of their own: those of the other kind are skipped. */
export async function setCategory(
  ctx: Ctx,
  { id: ids, category_id }: Input<typeof spiderDocuments.setCategory>,
): Promise<Reply<typeof spiderDocuments.setCategory>> {
  return transaction(ctx, async (ctx) => {
    const target = await getCategoryTarget(ctx, category_id)
    let query = selectUnpublished(ctx, ids).set({ category_ids: writeCategories(category_id), updated_at: ctx.now() })
    if (target !== undefined) query = query.where('target', '=', target)
    const rows = await query.returning('id').execute()
    const titles = await describeCategories(ctx.db, category_id)
    return toChanged(ctx, ids, rows, `分类: ${titles || '（空）'}`)
  })
}

/** Articles are free. */
export async function setPrice(
  ctx: Ctx,
  { id: ids, price }: Input<typeof spiderDocuments.setPrice>,
): Promise<Reply<typeof spiderDocuments.setPrice>> {
  return transaction(ctx, async (ctx) => {
    const rows = await selectUnpublished(ctx, ids)
      .set({ price, updated_at: ctx.now() })
      .where('target', '=', ContentType.Document)
      .returning('id')
      .execute()
    return toChanged(ctx, ids, rows, `价格: ${price}`)
  })
}

async function getLanguage({ db }: Ctx, code: string): Promise<string> {
  try {
    return await resolveLanguage(db, code)
  } catch (error) {
    throw error instanceof AppError ? error.at('language') : error
  }
}

function selectUnpublished({ db }: Ctx, ids: readonly number[]) {
  return db.updateTable('spider_document').where('id', 'in', ids).where('status', 'not in', publishedStatuses)
}

async function toChanged(ctx: Ctx, ids: readonly number[], rows: readonly { id: number }[], change: string) {
  await note(
    ctx,
    rows.map(({ id }) => id),
    change,
  )
  return { changed: rows.length, skipped: new Set(ids).size - rows.length }
}

/** In the documents' log, and in that of the staff. */
async function note(ctx: Ctx, ids: readonly number[], change: string): Promise<void> {
  ctx.audit?.({ ids, change })
  await writeLog(ctx, ...ids.map((id) => ({ spider_document_id: id, event: 'edited' as const, detail: change })))
}
