import { ContentType, visibilityLabels } from '#shared/enums.ts'
import { DocumentStatus, documentStatusLabels, eventToward } from '#shared/document-status.ts'
import { documents } from '#shared/contract/documents.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { describeDiff } from '#server/audit-text.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { type Bit, bit } from '#server/db/tables/column.ts'
import { resolveCategories } from '#server/modules/catalog/categories.service.ts'
import { resolveLanguage } from '#server/modules/catalog/languages.service.ts'
import { replaceCategories } from './categories.ts'
import { readExtractedText, readOwnText, readText, toDescription } from '../documents.content.ts'
import { isPaidFor } from '../documents.paid.ts'
import { changedSource } from '#server/modules/catalog/content-source.ts'
import { cleanKeywords } from '#server/modules/catalog/keywords.ts'
import { isPublished, isReviewed, owns } from '../documents.policy.ts'
import { type DocumentRow, findCategories, findDocument } from '../documents.queries.ts'
import { setStatus } from './review.ts'
import { moveDocuments } from '../documents.status.ts'
import { changeAudience } from '../visibility/change-audience.ts'
import { canSee } from '../visibility/visibility.policy.ts'

type Form = Input<typeof documents.update>

/**
 * For its owner and staff. What an owner rewrites is reviewed again if their uploads are, and so is what was rejected.
 */
export async function updateDocument(ctx: MemberCtx, form: Form): Promise<void> {
  const row = await getEditable(ctx, form.id)
  const current = { ...row, content: await readOwnText(ctx.db, row.id) }
  const texts = await toTexts(ctx, current, form)
  // A document may be in a language that the site has deleted.
  const language = form.language === row.language ? row.language : await resolveLanguage(ctx.db, form.language)
  const source = canManage(ctx) ? changedSource(form) : {}
  await transaction(ctx, async (ctx) => {
    const present = (await findCategories(ctx.db, [row.id])).get(row.id) ?? []
    const categories = await resolveCategories(
      ctx,
      form.category_id,
      ContentType.Document,
      present.map(({ id }) => id),
    )
    if (canManage(ctx)) await changeStatus(ctx, row, form.status)
    await changeAudience(ctx, [row.id], form)
    const updated = await ctx.db
      .updateTable('document')
      .set({ ...texts, ...source, language, price: form.price, updated_at: ctx.now() })
      .where('id', '=', row.id)
      .where('deleted_at', 'is', null)
      .returning(['id', 'status', 'visibility', 'deleted_at'])
      .executeTakeFirst()
    if (!updated) throw errors.documents.notFound()
    if (categories.length > 0) await replaceCategories(ctx, [updated], categories)
    await ctx.db.deleteFrom('document_relate').where('document_id', '=', row.id).execute()
    const titles = (rows: readonly { title: string }[]) => rows.map(({ title }) => title)
    const chosen = categories.length > 0 ? ((await findCategories(ctx.db, [row.id])).get(row.id) ?? []) : present
    const before = {
      ...current,
      status: documentStatusLabels[current.status],
      visibility: visibilityLabels[current.visibility],
      category_id: titles(present),
    }
    const after = {
      ...texts,
      ...source,
      language,
      price: form.price,
      status: documentStatusLabels[updated.status],
      visibility: visibilityLabels[updated.visibility],
      category_id: titles(chosen),
    }
    ctx.audit?.({ change: describeDiff(before, after, documents.update.input) })
    ctx.emit('document.changed', { ids: [row.id] })
    const isReviewedAgain = !canManage(ctx) && isReviewed(ctx.viewer) && isRewritten(current, texts)
    if (isReviewedAgain && (isPublished(updated) || updated.status === DocumentStatus.Rejected))
      await moveDocuments(ctx, [row.id], 'review')
  })
}

export async function setCategory(ctx: MemberCtx, input: Input<typeof documents.setCategory>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const categories = await resolveCategories(ctx, input.category_id, ContentType.Document)
    const rows = await updateRows(ctx, input.document_id, {})
    await replaceCategories(ctx, rows, categories)
  })
}

export async function setLanguage(ctx: MemberCtx, input: Input<typeof documents.setLanguage>): Promise<void> {
  const language = await resolveLanguage(ctx.db, input.language)
  await transaction(ctx, (ctx) => updateRows(ctx, input.document_id, { language }))
}

export async function setPrice(ctx: MemberCtx, { id, price }: Input<typeof documents.setPrice>): Promise<void> {
  await transaction(ctx, (ctx) => updateRows(ctx, id, { price }))
}

/** A VIP document is free for members with a card, within its number. */
export async function setVip(ctx: MemberCtx, { id, is_vip }: Input<typeof documents.setVip>): Promise<void> {
  await transaction(ctx, (ctx) => updateRows(ctx, id, { is_vip: bit(is_vip) }))
}

/** Updates documents that are not in the recycle bin, and returns them. Call it in a transaction. */
async function updateRows(
  ctx: MemberCtx,
  ids: readonly number[],
  change: { language?: string; is_vip?: Bit; price?: number },
) {
  await lockRows(ctx, 'document', ids)
  const rows = await ctx.db
    .updateTable('document')
    .set({ ...change, updated_at: ctx.now() })
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .returning(['id', 'status', 'visibility', 'deleted_at'])
    .execute()
  if (rows.length === 0) throw errors.documents.notFound()
  ctx.emit('document.changed', { ids: rows.map(({ id }) => id) })
  return rows
}

async function getEditable(ctx: MemberCtx, id: number): Promise<DocumentRow> {
  const row = await findDocument(ctx.db, { id })
  const isAllowed = row && (owns(ctx.viewer, row) || canManage(ctx))
  if (!row || row.deleted_at !== null || !(isAllowed || (await canSee(ctx, row)))) throw errors.documents.notFound()
  if (!isAllowed) throw errors.documents.othersKept()
  return row
}

function canManage({ viewer }: MemberCtx): boolean {
  return viewer.can('DocumentAPI/UpdateDocument')
}

/** A form sends back the status it was opened with: only another one is a change, and the converter's own are ignored. */
async function changeStatus(
  ctx: MemberCtx,
  { id, status }: { id: number; status: DocumentStatus },
  wanted: DocumentStatus | undefined,
): Promise<void> {
  if (wanted === undefined || wanted === status || !eventToward[wanted]) return
  await setStatus(ctx, { ids: [id], status: wanted })
}

interface Texts {
  title: string
  keywords: string
  description: string
  /** What the owner has written in place of the extracted text. */
  content: string
}

async function toTexts(ctx: MemberCtx, row: DocumentRow & Texts, form: Form): Promise<Texts> {
  const shown = await readText(ctx, { ...row, isPaidFor: await isPaidFor(ctx, row) })
  // Forms are filled with a stand-in for a missing description: sent back, it is still missing.
  const standIns = [toDescription(shown), row.title]
  const isMissing = row.description === '' && standIns.includes(form.description)
  return {
    title: form.title,
    keywords: cleanKeywords(form.keywords),
    description: isMissing ? '' : form.description,
    content: await toContent(ctx, row, form.content, shown),
  }
}

/** Stored only if it differs from the extracted text, also from an earlier state of it that the form was filled with. */
async function toContent(ctx: MemberCtx, row: DocumentRow & Texts, submitted: string, shown: string): Promise<string> {
  const text = submitted.trim()
  if (text === '' || text === shown.trim() || row.content.trim().startsWith(text)) return row.content
  return (await readExtractedText(ctx, row)).trim().startsWith(text) ? '' : text
}

function isRewritten(before: Texts, after: Texts): boolean {
  const columns = ['title', 'keywords', 'description', 'content'] as const
  return columns.some((column) => before[column] !== after[column])
}
