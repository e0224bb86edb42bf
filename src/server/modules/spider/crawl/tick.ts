import { sql, type SqlBool } from 'kysely'
import { SpiderDocumentStatus, SpiderSourceState } from '#shared/spider.ts'
import type { Ctx } from '#server/context.ts'
import { bit } from '#server/db/tables/column.ts'
import { enqueue, jobKeySql } from '#server/jobs.ts'
import { readRule } from '../sources/rule.ts'
import { mayRequest } from './crawl-source.ts'
import { finishRun, startRun } from './runs.ts'
import { nextRunAt } from './schedule.ts'
import { startedRows, waitingRows } from './waiting.ts'

const maxJobsAtOnce = 500

/** Every minute: starts what is scheduled, and sees to it that nothing that waits is without a job. */
export async function tick(ctx: Ctx): Promise<void> {
  await enqueuePublications(ctx)
  if (!ctx.settings.spider.enable) return
  await startScheduled(ctx)
  await finishRuns(ctx)
  await enqueueHosts(ctx)
}

async function startScheduled(ctx: Ctx): Promise<void> {
  const due = await ctx.db
    .selectFrom('spider_source')
    .selectAll()
    .where('next_run_at', '<=', ctx.now())
    .where('enable', '=', bit(true))
    .execute()
  for (const source of due) {
    if (await startRun(ctx, source.id)) continue
    // The last run is still under way, or paused: the next one is not to follow at its heels.
    await ctx.db
      .updateTable('spider_source')
      .set({ next_run_at: nextRunAt(readRule(source).schedule, ctx.now()) })
      .where('id', '=', source.id)
      .where('next_run_at', '=', source.next_run_at)
      .execute()
  }
}

async function finishRuns(ctx: Ctx): Promise<void> {
  const running = await ctx.db
    .selectFrom('spider_source')
    .select('id')
    .where('state', '=', SpiderSourceState.Running)
    .execute()
  for (const { id } of running) await finishRun(ctx, id)
}

/** Hosts of which something may be requested now. */
async function enqueueHosts(ctx: Ctx): Promise<void> {
  const rows = await ctx.db.selectFrom('spider_source').selectAll().execute()
  const asleep = rows.filter((row) => !mayRequest(ctx, row)).map(({ id }) => id)
  const due = await waitingRows(ctx.db)
    .select('origin')
    .distinct()
    .where('due_at', '<=', ctx.now())
    .$if(asleep.length > 0, (query) => query.where('source_id', 'not in', asleep))
    .where(hasNoJob())
    .limit(maxJobsAtOnce)
    .execute()
  const started = await startedRows(ctx.db).select('origin').distinct().where(hasNoJob()).limit(maxJobsAtOnce).execute()
  for (const { origin } of [...due, ...started]) await enqueue(ctx, 'spider.crawl-host', { origin })
}

async function enqueuePublications(ctx: Ctx): Promise<void> {
  const rows = await ctx.db
    .selectFrom('spider_document')
    .select('id')
    .where('status', 'in', [SpiderDocumentStatus.PublishQueue, SpiderDocumentStatus.Publishing])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('job')
            .select('job.id')
            .where('job.key', '=', jobKeySql('spider.publish', { document: 'spider_document.id' }))
            .where('job.state', 'in', ['waiting', 'running']),
        ),
      ),
    )
    .orderBy('id')
    .limit(maxJobsAtOnce)
    .execute()
  for (const { id } of rows) await enqueue(ctx, 'spider.publish', { document: id })
}

/** No job of its origin waits or runs; one that ran in a process that was killed runs again when its lease ends. */
function hasNoJob() {
  return sql<SqlBool>`not exists (
    select 1 from job where job.key = ${jobKeySql('spider.crawl-host', { origin: 'origin' })}
    and job.state in ('waiting', 'running')
  )`
}
