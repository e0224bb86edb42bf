import type { documents } from '#shared/contract/documents.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { resolveCategories } from '#server/modules/catalog/categories.service.ts'
import { resolveLanguage } from '#server/modules/catalog/languages.service.ts'
import { replaceCategories } from './categories.ts'
import { extractedText, openingOf, textFor } from '../documents.content.ts'
import { holdDocuments } from '../documents.locks.ts'
import { cleanKeywords } from '#server/modules/catalog/keywords.ts'
import { canSee, isPublic, isReviewed, owns } from '../documents.policy.ts'
import { categoriesOf, type DocumentRow, findDocument } from '../documents.queries.ts'
import { applyWish } from './review.ts'
import { moveDocuments } from '../documents.status.ts'

type Form = Input<typeof documents.update>

/**
 * Its owner and those who manage documents edit it. What its owner rewrites is reviewed again, if what they upload is;
 * so is what had been rejected.
 */
export async function updateDocument(ctx: MemberCtx, form: Form): Promise<void> {
  const row = await getEditable(ctx, form.id)
  const words = await wordsOf(ctx, row, form)
  // A language may be gone that documents are still in.
  const language = form.language === row.language ? row.language : await resolveLanguage(ctx.db, form.language)
  await transaction(ctx, async (ctx) => {
    const kept = (await categoriesOf(ctx.db, [row.id])).get(row.id) ?? []
    const categories = await resolveCategories(
      ctx,
      form.category_id,
      0,
      kept.map(({ id }) => id),
    )
    if (manages(ctx)) await follow(ctx, row, form.status)
    const written = await ctx.db
      .updateTable('document')
      .set({ ...words, language, price: form.price, updated_at: ctx.now() })
      .where('id', '=', row.id)
      .where('deleted_at', 'is', null)
      .returning(['id', 'status', 'deleted_at'])
      .executeTakeFirst()
    if (!written) throw errors.documents.notFound()
    if (categories.length > 0) await replaceCategories(ctx, [written], categories)
    await ctx.db.deleteFrom('document_relate').where('document_id', '=', row.id).execute()
    ctx.emit('document.changed', { ids: [row.id] })
    const reviewed = !manages(ctx) && isReviewed(ctx.viewer) && rewritten(row, words)
    if (reviewed && (isPublic(written) || written.status === 7)) await moveDocuments(ctx, [row.id], 'review')
  })
}

export async function setCategory(ctx: MemberCtx, input: Input<typeof documents.setCategory>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const categories = await resolveCategories(ctx, input.category_id, 0)
    const rows = await touch(ctx, input.document_id, {})
    await replaceCategories(ctx, rows, categories)
  })
}

export async function setLanguage(ctx: MemberCtx, input: Input<typeof documents.setLanguage>): Promise<void> {
  const language = await resolveLanguage(ctx.db, input.language)
  await transaction(ctx, (ctx) => touch(ctx, input.document_id, { language }))
}

/** Writes to documents that are not in the recycle bin, and says which they are. Call it in a transaction. */
async function touch(ctx: MemberCtx, ids: readonly number[], change: { language?: string }) {
  await holdDocuments(ctx, ids)
  const rows = await ctx.db
    .updateTable('document')
    .set({ ...change, updated_at: ctx.now() })
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .returning(['id', 'status', 'deleted_at'])
    .execute()
  if (rows.length === 0) throw errors.documents.notFound()
  ctx.emit('document.changed', { ids: rows.map(({ id }) => id) })
  return rows
}

async function getEditable(ctx: MemberCtx, id: number): Promise<DocumentRow> {
  const row = await findDocument(ctx.db, { id })
  const may = row && (owns(ctx.viewer, row) || manages(ctx))
  if (!row || row.deleted_at !== null || !(may || canSee(ctx.viewer, row))) throw errors.documents.notFound()
  if (!may) throw errors.documents.othersKept()
  return row
}

function manages({ viewer }: MemberCtx): boolean {
  return viewer.can('DocumentAPI/UpdateDocument')
}

/** A form brings back the status it was opened with: only another one is a wish, and nobody wishes for 1 or 3. */
async function follow(ctx: MemberCtx, { id, status }: { id: number; status: number }, wish: number | undefined) {
  if (wish === undefined || wish === status || wish === 1 || wish === 3) return
  await applyWish(ctx, [id], wish)
}

type Words = Pick<DocumentRow, 'title' | 'keywords' | 'description' | 'content'>

async function wordsOf(ctx: MemberCtx, row: DocumentRow, form: Form): Promise<Words> {
  const shown = await textFor(ctx, row)
  // Forms are filled with what stands in for a missing description: given back, it is still missing.
  const standIns = [openingOf(shown), row.title]
  const untouched = row.description === '' && standIns.includes(form.description)
  return {
    title: form.title,
    keywords: cleanKeywords(form.keywords),
    description: untouched ? '' : form.description,
    content: await contentOf(ctx, row, form.content, shown),
  }
}

/** Only a text that says something else than the pages is kept. A form may have been filled while they were being read. */
async function contentOf(ctx: MemberCtx, row: DocumentRow, given: string, shown: string): Promise<string> {
  const text = given.trim()
  if (text === '' || text === shown.trim() || row.content.trim().startsWith(text)) return row.content
  return (await extractedText(ctx, row)).trim().startsWith(text) ? '' : text
}

function rewritten(row: DocumentRow, words: Words): boolean {
  const columns = ['title', 'keywords', 'description', 'content'] as const
  return columns.some((column) => row[column] !== words[column])
}
