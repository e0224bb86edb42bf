import type { Replacement } from '#shared/contract/document-files.ts'
import { ReplacementStatus } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import { failureMessage } from '#server/modules/renditions/failures.ts'
import { findUsernames } from '#server/modules/users/users.queries.ts'
import type { ReplacementRow } from './replacements.queries.ts'

/** For the owners of the documents, and for staff. Reviewers alone know who has decided. */
export async function presentReplacements(
  { db, viewer }: Ctx,
  rows: readonly ReplacementRow[],
): Promise<Replacement[]> {
  const names = await findUsernames(
    db,
    rows.flatMap(({ user_id, reviewer_id }) => [user_id, reviewer_id]),
  )
  const documents = await db
    .selectFrom('document')
    .select(['id', 'uuid', 'title'])
    .where('id', 'in', [0, ...new Set(rows.map(({ document_id }) => document_id))])
    .execute()
  const byId = new Map(documents.map((document) => [document.id, document]))
  return rows.map((row) => ({
    id: row.id,
    document_id: row.document_id,
    document_uuid: byId.get(row.document_id)?.uuid ?? '',
    document_title: byId.get(row.document_id)?.title ?? '',
    user_id: row.user_id,
    username: names.get(row.user_id) ?? '',
    status: row.status,
    reason: row.status === ReplacementStatus.Failed ? failureMessage(row.reason) : row.reason,
    file: { name: row.name, ext: row.ext, size: row.size },
    former:
      row.status === ReplacementStatus.Published
        ? { name: row.former_name, ext: row.former_ext, size: row.former_size }
        : null,
    reviewer: viewer.can('DocumentAPI/CheckDocument') ? (names.get(row.reviewer_id) ?? '') : '',
    created_at: row.created_at,
    ended_at: row.ended_at,
  }))
}
