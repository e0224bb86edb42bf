import type { JobHandlers, JobSchedule } from '#server/jobs.ts'
import { purgeSms } from './sms-records.ts'

export const smsJobs = { 'sms.purge': purgeSms } satisfies Partial<JobHandlers>
export const smsSchedules: JobSchedule[] = [{ kind: 'sms.purge', everyMs: 24 * 60 * 60_000 }]
