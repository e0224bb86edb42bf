import type { JobHandlers, JobSchedule } from '#server/jobs.ts'
import { repairDocuments } from './documents.repair.ts'
import { reconvert } from './publishing/reconvert.ts'
import { purgeDocuments } from './publishing/recycle-bin.ts'

export const documentJobs = {
  'documents.repair': repairDocuments,
  'documents.purge': purgeDocuments,
  'documents.reconvert': async (ctx, input) => {
    await reconvert(ctx, input)
  },
} satisfies Partial<JobHandlers>

export const documentSchedules: JobSchedule[] = [{ kind: 'documents.repair', everyMs: 60_000 }]
