import type { reports } from '#shared/contract/reports.ts'
import { publicStatuses } from '#shared/document-status.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import { listRows, within } from '#server/db/list.ts'
import { bit } from '#server/db/tables/column.ts'
import { isOpenTo } from '#server/modules/documents/visibility/visibility.policy.ts'

export async function listReports(
  { db }: Ctx,
  { status, user_id, created_at, ...input }: Input<typeof reports.list>,
): Promise<Reply<typeof reports.list>> {
  let query = db
    .selectFrom('report')
    // A document in the recycle bin has no page.
    .leftJoin('document', (join) =>
      join.onRef('document.id', '=', 'report.document_id').on('document.deleted_at', 'is', null),
    )
    .selectAll('report')
    .select('document.uuid as document_uuid')
    .where(within('report.created_at', created_at))
  if (user_id.length > 0) query = query.where('report.user_id', 'in', user_id)
  if (status.length === 1) query = query.where('report.status', '=', bit(status[0] === true))
  const { total, rows } = await listRows(query, input, {
    search: ['report.document_title'],
    order: [['report.id', 'desc']],
    sortable: ['reason'],
  })
  return { total, report: rows.map(present) }
}

/** A member's own reports; the document's address while the member may see it. */
export async function listOwnReports(
  { db, viewer }: MemberCtx,
  input: Input<typeof reports.own>,
): Promise<Reply<typeof reports.own>> {
  const query = db
    .selectFrom('report')
    .leftJoin('document', (join) =>
      join
        .onRef('document.id', '=', 'report.document_id')
        .on('document.deleted_at', 'is', null)
        .on('document.status', 'in', [...publicStatuses])
        .on(isOpenTo(viewer)),
    )
    .selectAll('report')
    .select('document.uuid as document_uuid')
    .where('report.user_id', '=', viewer.id)
  const { total, rows } = await listRows(
    query,
    { ...input, wd: '' },
    {
      order: [['report.id', 'desc']],
      sizes: { min: 10, max: 100, default: 20 },
    },
  )
  return { total, report: rows.map(present) }
}

function present<R extends { status: number; document_uuid: string | null }>(row: R) {
  return { ...row, status: row.status === bit(true), document_uuid: row.document_uuid ?? '' }
}
