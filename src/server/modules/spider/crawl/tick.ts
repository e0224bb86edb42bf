import { type Selectable, sql, type SqlBool } from 'kysely'
import { SpiderDocumentStatus, SpiderSourceState } from '#shared/spider.ts'
import type { Ctx } from '#server/context.ts'
import type { Tables } from '#server/db/tables.ts'
import { bit } from '#server/db/tables/column.ts'
import { enqueue, jobKeySql } from '#server/jobs.ts'
import { readRule } from '../sources/rule.ts'
import { mayRequest } from './crawl-source.ts'
import { enqueueHosts } from './enqueue-hosts.ts'
import { finishRun, startRun, stopRun } from './runs.ts'
import { nextRunAt } from './schedule.ts'
import { startedRows, waitingRows } from './waiting.ts'

const maxJobsAtOnce = 500
const hourMs = 60 * 60_000

/** Every minute: starts what is scheduled, and sees to it that nothing that waits is without a job. */
export async function tick(ctx: Ctx): Promise<void> {
  await enqueuePublications(ctx)
  if (!ctx.settings.spider.enable) return
  await startScheduled(ctx)
  await finishRuns(ctx)
  await enqueueDueHosts(ctx)
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

/** Its rule bounds how long a run may take. */
function isOverdue({ now }: Ctx, source: Selectable<Tables['spider_source']>): boolean {
  const { max_hours } = readRule(source)
  return max_hours > 0 && now() >= (source.started_at ?? 0) + max_hours * hourMs
}

async function finishRuns(ctx: Ctx): Promise<void> {
  const running = await ctx.db
    .selectFrom('spider_source')
    .selectAll()
    .where('state', '=', SpiderSourceState.Running)
    .execute()
  for (const source of running)
    if (isOverdue(ctx, source)) await stopRun(ctx, source.id)
    else await finishRun(ctx, source.id)
}

/** Hosts of which something may be requested now. */
async function enqueueDueHosts(ctx: Ctx): Promise<void> {
  const rows = await ctx.db.selectFrom('spider_source').selectAll().execute()
  const asleep = rows.filter((row) => !mayRequest(ctx, row)).map(({ id }) => id)
  const due = waitingRows(ctx.db)
    .select('origin')
    .distinct()
    .where('due_at', '<=', ctx.now())
    .$if(asleep.length > 0, (query) => query.where('source_id', 'not in', asleep))
  const started = startedRows(ctx.db).select('origin').distinct()
  // Hosts first, which are few: jobs are not looked for by each of the rows that wait.
  const idle = await ctx.db
    .selectFrom(due.union(started).as('host'))
    .select('origin')
    .where(hasNoJob())
    .limit(maxJobsAtOnce)
    .execute()
  await enqueueHosts(
    ctx,
    idle.map(({ origin }) => origin),
  )
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
