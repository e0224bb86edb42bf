import { inTransaction } from '#server/context.ts'
import type { reports } from '#shared/contract/reports.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { createReport } from './reports.create.ts'
import { handleReports, reopenReports, updateReport } from './reports.handle.ts'
import { listInbox } from './reports.inbox.ts'
import { listOwnReports, listReports } from './reports.list.ts'
import { openProof } from './reports.proofs.ts'

export const reportRoutes: Handlers<typeof reports> = {
  create: emptyReply(createReport),
  own: listOwnReports,
  list: listReports,
  inbox: listInbox,
  proof: openProof,
  handle: emptyReply(handleReports),
  reopen: emptyReply(reopenReports),
  update: emptyReply(updateReport),
  // The attachments' sweep deletes the proofs of reports that are gone.
  delete: inTransaction(async ({ db }, { id }) => {
    await db.deleteFrom('report').where('id', 'in', id).execute()
    return {}
  }),
}
