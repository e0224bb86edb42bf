import type { Document, documents } from '#shared/contract/documents.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { authorsOf } from '#server/modules/users/authors.ts'
import { openingOf, textFor } from './documents.content.ts'
import { canSee, wasPublic } from './documents.policy.ts'
import { presentDocuments } from './documents.present.ts'
import { type DocumentRow, findDocument } from './documents.queries.ts'
import { countView } from '#server/modules/stats/view-counter.ts'

/** For who may see it; for everybody else it does not exist. */
export async function getVisible(ctx: Ctx, named: { id: number; uuid?: string }): Promise<DocumentRow> {
  const row = await findDocument(ctx.db, named)
  if (row && wasPublic(row)) throw errors.documents.gone()
  if (!row || !canSee(ctx.viewer, row)) throw errors.documents.notFound()
  return row
}

export async function getDocument(ctx: Ctx, input: Input<typeof documents.get>): Promise<Document> {
  const found = await getVisible(ctx, input)
  const counted = input.with_author && (await countView(ctx, found.id))
  const row = counted ? { ...found, view_count: found.view_count + 1 } : found
  const [[shown], text, authorOf] = await Promise.all([
    presentDocuments(ctx, [row]),
    textFor(ctx, row, { whole: input.with_all_content }),
    input.with_author ? authorsOf(ctx.db, [row.user_id]) : null,
  ])
  if (!shown) throw errors.documents.notFound()
  const user = authorOf?.(row.user_id) ?? null
  return { ...shown, user, content: text, description: row.description || openingOf(text) || row.title }
}
