import type { Schedule } from '#server/jobs/schedule.ts'
import type { JobHandler } from '#server/jobs/worker.ts'
import { purgeRecords } from './searches.records.ts'

export const searchJobs: Record<string, JobHandler> = { 'searches.purge': purgeRecords }

export const searchSchedules: Schedule[] = [{ kind: 'searches.purge', everyMs: 60 * 60_000 }]
