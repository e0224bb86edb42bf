import type { Schedule } from '#server/jobs/schedule.ts'
import type { JobHandler, Lane } from '#server/jobs/worker.ts'
import { purgeRecords } from './records.ts'

export const searchJobs: Record<string, JobHandler> = { 'searches.purge': purgeRecords }

export const searchSchedules: Schedule[] = [
  { kind: 'searches.purge', everyMs: 60 * 60_000 },
  { kind: 'searches.settle', everyMs: 24 * 60 * 60_000 },
]

/** It may take minutes, and nothing waits for it. */
export const searchSettleLane: Lane = {
  handlers: { 'searches.settle': (ctx) => ctx.search.settle() },
  concurrency: 1,
}
