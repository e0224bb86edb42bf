import { errors } from '#shared/errors.ts'
import type { MemberCtx, Viewer } from '#server/context.ts'
import { owns } from '../documents.policy.ts'
import { type DocumentRow, findDocument } from '../documents.queries.ts'
import { canSee } from '../visibility/visibility.policy.ts'

/** Staff who edit the documents of all owners. */
export function canReplaceAny(viewer: Viewer): boolean {
  return viewer.can('DocumentAPI/UpdateDocument')
}

/** The document, not deleted, whose file this member may replace: its owner and staff. */
export async function getReplaceable(ctx: MemberCtx, id: number): Promise<DocumentRow> {
  const row = await findDocument(ctx.db, { id })
  const isAllowed = row && (owns(ctx.viewer, row) || canReplaceAny(ctx.viewer))
  if (!row || row.deleted_at !== null || !(isAllowed || (await canSee(ctx, row)))) throw errors.documents.notFound()
  if (!isAllowed) throw errors.documents.othersKept()
  return row
}
