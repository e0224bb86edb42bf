import { JobPriority } from '#server/jobs/queue.ts'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Ctx, transaction } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { jobKey, jobKeySql } from '#server/jobs.ts'
import { enqueueTextExtraction } from './extract-text.ts'
import { blockedReasons } from './failures.ts'
import type { RenditionObserver } from './observer.ts'
import { withoutEarlyPreview } from './renditions.queries.ts'
import { enqueueConversion } from './request.ts'

const dayMs = 24 * 60 * 60 * 1000
const batchSize = 200

/** Repairs what no job will: conversions and text extractions whose job has failed for good or was lost. */
export async function repairRenditions(ctx: Ctx, observer: RenditionObserver): Promise<void> {
  await repairConversions(ctx, observer)
  for (const { hash, revision } of await findLostExtractions(ctx.db).execute())
    await enqueueTextExtraction(ctx, { hash, revision, owner: 0 })
}

/** Conversions that wait for a program or for disk space are retried at start: the restart may have fixed the cause. */
export async function retryBlocked(ctx: Ctx): Promise<void> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('job')
    .set({ run_at: ctx.now() })
    .where('state', '=', 'waiting')
    .where('key', 'in', (eb) =>
      eb
        .selectFrom('rendition')
        .select(jobKeySql('renditions.convert', { hash: 'rendition.hash' }).as('key'))
        .where('state', '=', 'waiting')
        .where('reason', 'in', blockedReasons),
    )
    .executeTakeFirstOrThrow()
  if (numUpdatedRows) ctx.emit('job.waiting', {})
}

/** Temporary files of killed conversions. A day old, so never those of a conversion that another process runs. */
export async function sweepWorkDir(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const stats = await stat(path).catch(() => undefined)
    if (stats && stats.mtimeMs < Date.now() - dayMs) await rm(path, { recursive: true, force: true })
  }
}

/** A conversion that killed its worker each time has a failed job, and is not retried. */
async function repairConversions(ctx: Ctx, observer: RenditionObserver): Promise<void> {
  const withoutJob = await ctx.db
    .selectFrom('rendition')
    .select(['hash', 'ext', 'updated_at'])
    .where('state', 'in', ['waiting', 'working'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('job')
            .select('job.id')
            .where('job.key', '=', jobKeySql('renditions.convert', { hash: 'rendition.hash' }))
            .where('job.state', 'in', ['waiting', 'running']),
        ),
      ),
    )
    .limit(batchSize)
    .execute()
  for (const { hash, ext, updated_at } of withoutJob) {
    const failedJob = await ctx.db
      .selectFrom('job')
      .select('error')
      .where('key', '=', jobKey('renditions.convert', { hash }))
      .where('state', '=', 'failed')
      .where('updated_at', '>=', updated_at)
      .executeTakeFirst()
    if (failedJob) await setFailed(ctx, observer, { hash, detail: failedJob.error })
    else await enqueueConversion(ctx, { hash, ext }, { priority: JobPriority.Normal, owner: 0 })
  }
}

async function setFailed(
  ctx: Ctx,
  observer: RenditionObserver,
  { hash, detail }: { hash: string; detail: string },
): Promise<void> {
  await transaction(ctx, async (ctx) => {
    await ctx.db
      .updateTable('rendition')
      .set({ state: 'failed', reason: 'crashed', detail, ...withoutEarlyPreview, updated_at: ctx.now() })
      .where('hash', '=', hash)
      .execute()
    await observer.moved(ctx, hash, 'fail')
    ctx.emit('rendition.changed', { hash })
    ctx.emit('conversion.ended', { failed: true })
  })
}

/** Spelled as the partial index `rendition_unread` is: databases use one only for a predicate that implies its own. */
export function findLostExtractions(db: Db) {
  return db
    .selectFrom('rendition')
    .select(['hash', 'revision'])
    .where('state', '=', sql.lit('done'))
    .whereRef('text_pages', '<', 'pages')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('job')
            .select('job.id')
            .where(
              'job.key',
              '=',
              jobKeySql('renditions.extract-text', { hash: 'rendition.hash', revision: 'rendition.revision' }),
            ),
        ),
      ),
    )
    .limit(batchSize)
}
