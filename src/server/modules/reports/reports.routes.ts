import { inTransaction } from '#server/context.ts'
import type { reports } from '#shared/contract/reports.ts'
import { listRows } from '#server/db/list.ts'
import { bit } from '#server/db/tables/column.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { handleReport, createReport } from './reports.service.ts'

export const reportRoutes: Handlers<typeof reports> = {
  create: emptyReply(createReport),
  async list({ db }, { status, ...input }) {
    let query = db
      .selectFrom('report')
      // A document in the recycle bin has no page.
      .leftJoin('document', (join) =>
        join.onRef('document.id', '=', 'report.document_id').on('document.deleted_at', 'is', null),
      )
      .selectAll('report')
      .select('document.uuid as document_uuid')
    if (status.length === 1) query = query.where('report.status', '=', bit(status[0] === true))
    const { total, rows } = await listRows(query, input, {
      search: ['report.document_title'],
      order: [['report.id', 'desc']],
      sortable: ['reason'],
    })
    const present = (row: (typeof rows)[number]) => ({
      ...row,
      status: row.status === bit(true),
      document_uuid: row.document_uuid ?? '',
    })
    return { total, report: rows.map(present) }
  },
  update: emptyReply(inTransaction(handleReport)),
  delete: inTransaction(async ({ db }, { id }) => {
    await db.deleteFrom('report').where('id', 'in', id).execute()
    return {}
  }),
}
