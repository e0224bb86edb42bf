import { SpiderPublish } from '#shared/spider.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { bit } from '#server/db/tables/column.ts'
import { enqueue } from '#server/jobs.ts'
import { addToday } from '../spider.counts.ts'
import { writeLog } from '../spider.log.ts'
import { moveSpiderDocuments } from '../spider.status.ts'
import type { DocumentWork, Measured } from './work.ts'

type Changes = NonNullable<Parameters<typeof moveSpiderDocuments>[3]>

interface Answer {
  status: number
  etag?: string
  lastModified?: string
}

/** A new content is here: it is published as the rule says. */
export function recordDownload(
  ctx: Ctx,
  { kind, row, source }: DocumentWork,
  { answer, measured, ...changes }: Changes & { answer: Answer; measured: Measured },
): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const isChange = kind === 'check'
    const moved = await moveSpiderDocuments(ctx, [row.id], isChange ? 'change' : 'download', {
      ...answered(answer),
      ...changes,
      downloaded_at: ctx.now(),
    })
    // Deleted by staff in the meantime.
    if (moved.length === 0) return
    const event = isChange ? 'changed' : 'downloaded'
    await writeLog(ctx, { spider_document_id: row.id, event, http_status: answer.status, ...measured })
    if (source.rule.publish !== SpiderPublish.Manual) {
      await moveSpiderDocuments(ctx, [row.id], 'queuePublish')
      await enqueue(ctx, 'spider.publish', { document: row.id })
    }
    await addToday(ctx, { downloaded: 1, bytes: measured.bytes })
  })
}

/** The library has this content already. */
export function recordLink(
  ctx: Ctx,
  { kind, row }: DocumentWork,
  { answer, measured, ...changes }: Changes & { answer: Answer; measured: Measured },
): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const now = ctx.now()
    const moved = await moveSpiderDocuments(ctx, [row.id], 'link', {
      ...answered(answer),
      ...changes,
      attachment_id: 0,
      downloaded_at: now,
      published_at: now,
    })
    if (moved.length === 0) return
    await writeLog(ctx, { spider_document_id: row.id, event: 'linked', http_status: answer.status, ...measured })
    await addToday(ctx, { downloaded: kind === 'download' ? 1 : 0, bytes: measured.bytes })
  })
}

/** A check has found the content that is known. */
export function recordSame(ctx: Ctx, { row }: DocumentWork, answer: Answer, measured: Measured): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const checked = await ctx.db
      .updateTable('spider_document')
      .set(answered(answer))
      .where('id', '=', row.id)
      .where('check_due', '=', bit(true))
      .returning('id')
      .execute()
    if (checked.length > 0)
      await writeLog(ctx, { spider_document_id: row.id, event: 'unchanged', http_status: answer.status, ...measured })
    await addToday(ctx, { bytes: measured.bytes })
  })
}

function answered({ status, etag, lastModified }: Answer) {
  return {
    http_status: status,
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { last_modified: lastModified }),
    check_due: bit(false),
    tries: 0,
    reason: '' as const,
    detail: '',
  }
}
