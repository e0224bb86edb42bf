import { type Ctx, transaction } from '#server/context.ts'
import { bit } from '#server/db/tables/column.ts'
import { addToday } from '../spider.counts.ts'
import { writeLog } from '../spider.log.ts'
import { moveSpiderDocuments, moveUrls } from '../spider.status.ts'
import { type Failure, isUnsent, nextTryAt } from './failures.ts'
import type { DocumentWork, Work } from './work.ts'

/** Writes down why an address could not be requested: it is tried again later, or has failed. */
export function recordFailure(ctx: Ctx, work: Work, failure: Failure, duration_ms = 0): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { row } = work
    if (isUnsent(failure)) return putOff(ctx, work, failure.retryAt)
    const retryAt = nextTryAt(failure, row.tries, ctx.now())
    const { reason, detail, status: http_status } = failure
    const changes = { reason, detail, http_status, tries: row.tries + 1, ...(retryAt && { due_at: retryAt }) }
    const hasMoved =
      work.kind === 'url'
        ? await moveUrls(ctx, [row.id], retryAt ? 'postpone' : 'fail', { ...changes, run: work.source.run })
        : await failDocument(ctx, work, changes, retryAt)
    // Deleted by staff in the meantime.
    if (hasMoved.length === 0) return
    const address = work.kind === 'url' ? { url_id: row.id } : { spider_document_id: row.id }
    await writeLog(ctx, {
      ...address,
      event: retryAt ? 'postponed' : 'failed',
      reason,
      http_status,
      duration_ms,
      detail,
    })
    // As the list of documents counts them: not links, nor a document of which only the check has failed.
    if (!retryAt && work.kind === 'download') await addToday(ctx, { failed: 1 })
  })
}

async function putOff(ctx: Ctx, { kind, row }: Work, due_at = row.due_at): Promise<void> {
  if (kind === 'url') await moveUrls(ctx, [row.id], 'postpone', { due_at })
  else if (kind === 'download') await moveSpiderDocuments(ctx, [row.id], 'postponeDownload', { due_at })
  else await ctx.db.updateTable('spider_document').set({ due_at }).where('id', '=', row.id).execute()
}

type Changes = Parameters<typeof moveSpiderDocuments>[3]

async function failDocument(
  ctx: Ctx,
  { kind, row }: DocumentWork,
  changes: Changes,
  retryAt: number | undefined,
): Promise<number[]> {
  if (kind === 'download')
    return moveSpiderDocuments(ctx, [row.id], retryAt ? 'postponeDownload' : 'failDownload', changes)
  // What was downloaded or published before stays so: only the check has failed.
  const { tries = 0, due_at = row.due_at } = changes ?? {}
  const checked = await ctx.db
    .updateTable('spider_document')
    .set(retryAt ? { tries, due_at } : { check_due: bit(false), tries: 0 })
    .where('id', '=', row.id)
    .where('check_due', '=', bit(true))
    .returning('id')
    .execute()
  return checked.map(({ id }) => id)
}
