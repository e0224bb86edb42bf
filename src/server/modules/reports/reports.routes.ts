import type { reports } from '#shared/contract/social.ts'
import { listRows } from '#server/db/list.ts'
import { bit } from '#server/db/tables/column.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { handleReport, report } from './reports.service.ts'

export const reportRoutes: Handlers<typeof reports> = {
  async create(ctx, input) {
    await report(ctx, input)
    return {}
  },
  async list({ db }, { status, ...input }) {
    let query = db
      .selectFrom('report')
      // What is in the recycle bin has no page to look at.
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
      status: row.status === 1,
      document_uuid: row.document_uuid ?? '',
    })
    return { total, report: rows.map(present) }
  },
  async update(ctx, input) {
    await handleReport(ctx, input)
    return {}
  },
  async delete({ db }, { id }) {
    await db.deleteFrom('report').where('id', 'in', id).execute()
    return {}
  },
}
