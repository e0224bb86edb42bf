import { DocumentStatus } from '#shared/document-status.ts'
import type { Ctx } from '#server/context.ts'
import { JobPriority } from '#server/jobs/queue.ts'

const maxCounted = 512

/** Fair among uploaders: the more documents of a member wait, the lower the priority of the next. */
export async function uploadPriority({ db, viewer }: Ctx): Promise<number> {
  const waiting = await db
    .selectFrom('document')
    .select('id')
    .where('status', 'in', [DocumentStatus.Pending, DocumentStatus.Converting])
    .where('user_id', '=', viewer.id)
    .limit(maxCounted)
    .execute()
  return JobPriority.Upload - Math.min(9, Math.floor(Math.log2(1 + waiting.length / 4)))
}
