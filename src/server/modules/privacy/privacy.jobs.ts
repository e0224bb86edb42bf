import { renameDays } from '#shared/names.ts'
import type { JobHandlers, JobSchedule } from '#server/jobs.ts'
import { deleteAccount, findDueDeletions, purgeFormerNames } from './deletion/carry-out.ts'
import { purgeExports } from './export/purge.ts'
import { writeExport } from './export/write.ts'

const dayMs = 86_400_000

export const privacyJobs = {
  'privacy.export': writeExport,
  'privacy.purge-exports': purgeExports,
  'privacy.find-due-deletions': async (ctx) => {
    await findDueDeletions(ctx)
    await purgeFormerNames(ctx, renameDays * dayMs)
  },
  'privacy.delete-account': deleteAccount,
} satisfies Partial<JobHandlers>

export const privacySchedules: JobSchedule[] = [
  { kind: 'privacy.purge-exports', everyMs: 60 * 60_000 },
  { kind: 'privacy.find-due-deletions', everyMs: 10 * 60_000 },
]
