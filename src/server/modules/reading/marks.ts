import { errors } from '#shared/errors.ts'
import type { MemberCtx } from '#server/context.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { isPaidFor } from '#server/modules/documents/documents.paid.ts'
import { countVisiblePages } from '#server/modules/documents/documents.policy.ts'
import { type DocumentRow, findDocument, findVisibleTitles } from '#server/modules/documents/documents.queries.ts'
import { canSee } from '#server/modules/documents/visibility/visibility.policy.ts'

/** What bookmarks and annotations have in common. */

type MarkTable = 'bookmark' | 'annotation'

export const maxPerDocument = { bookmark: 500, annotation: 1000 }
const maxPerMember = { bookmark: 5000, annotation: 10_000 }

/** A document whose page the caller may read. */
export async function getMarkable(
  ctx: MemberCtx,
  { document_id, page }: { document_id: number; page: number },
): Promise<DocumentRow> {
  const document = await findDocument(ctx.db, { id: document_id })
  if (!document || !(await canSee(ctx, document))) throw errors.documents.notFound()
  // While a document is being converted its number of pages is not known.
  const last = countVisiblePages(ctx, { ...document, isPaidFor: await isPaidFor(ctx, document) })
  if (document.pages > 0 && page > last) throw errors.reading.noSuchPage()
  return document
}

/** In the transaction that adds one. The lock serializes the tabs and devices of a member. */
export async function assertWithinLimits(ctx: MemberCtx, table: MarkTable, documentId: number): Promise<void> {
  await lockRows(ctx, 'user', [ctx.viewer.id])
  const ofMember = ctx.db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', ctx.viewer.id)
  const inDocument = await ofMember.where('document_id', '=', documentId).executeTakeFirstOrThrow()
  if (inDocument.count >= maxPerDocument[table]) throw errors.reading.tooManyInDocument(maxPerDocument[table])
  const all = await ofMember.executeTakeFirstOrThrow()
  if (all.count >= maxPerMember[table]) throw errors.reading.tooMany(maxPerMember[table])
}

interface MarkRow {
  document_id: number
  document_title: string
}

/** Rows with the address of their document. Of one that is hidden from the member, what they last saw of its title stays. */
export async function withDocuments<R extends MarkRow>(ctx: MemberCtx, rows: readonly R[]) {
  const visible = await findVisibleTitles(
    ctx,
    rows.map(({ document_id }) => document_id),
  )
  return rows.map(({ document_title, ...row }) => {
    const document = visible.get(row.document_id)
    return {
      ...row,
      document_uuid: document?.uuid ?? '',
      title: document?.title ?? document_title,
      is_gone: document === undefined,
    }
  })
}
