import type { Document, documents } from '#shared/contract/documents.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { ViewCounter } from '#server/modules/stats/view-counter.ts'
import { loadAuthors } from '#server/modules/users/authors.ts'
import { readText, toDescription } from './documents.content.ts'
import { isPaidFor } from './documents.paid.ts'
import { wasPublic } from './documents.policy.ts'
import { presentDocuments } from './documents.present.ts'
import { type DocumentRow, findDocument } from './documents.queries.ts'
import { canSee } from './visibility/visibility.policy.ts'

/** For viewers who may see it; for all others it does not exist. */
export async function getVisible(ctx: Ctx, name: { id: number; uuid?: string }): Promise<DocumentRow> {
  const row = await findDocument(ctx.db, name)
  if (row && wasPublic(row)) throw errors.documents.gone()
  if (!row || !(await canSee(ctx, row))) throw errors.documents.notFound()
  return row
}

/** The document, and whether the viewer reads it to the end because they have paid. */
export async function getReadable(ctx: Ctx, name: { id: number; uuid?: string }) {
  const row = await getVisible(ctx, name)
  return { ...row, isPaidFor: await isPaidFor(ctx, row) }
}

/** Asked by existing clients. A document that the viewer may not see does not exist, and a file's checksum names none. */
export async function tellWhetherExists(
  ctx: Ctx,
  name: Input<typeof documents.exists>,
): Promise<Reply<typeof documents.exists>> {
  const row = await findDocument(ctx.db, name)
  return row && (await canSee(ctx, row))
    ? { exist: true, id: row.id, uuid: row.uuid }
    : { exist: false, id: 0, uuid: '' }
}

export async function getDocument(
  ctx: Ctx,
  input: Input<typeof documents.get>,
  viewCounter: ViewCounter,
): Promise<Document> {
  const row = await getReadable(ctx, input)
  const isCounted = input.with_author && (await viewCounter.count(ctx, 'document', row.id))
  const counted = isCounted ? { ...row, view_count: row.view_count + 1 } : row
  const [[document], content, authorOf] = await Promise.all([
    presentDocuments(ctx, [counted]),
    readText(ctx, row, { whole: input.with_all_content }),
    input.with_author ? loadAuthors(ctx, [row.user_id]) : null,
  ])
  if (!document) throw errors.documents.notFound()
  const user = authorOf?.(row.user_id) ?? null
  return { ...document, user, content, description: row.description || toDescription(content) || row.title }
}
