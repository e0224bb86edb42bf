import type { JobHandlers, JobSchedule } from '#server/jobs.ts'
import { purgeRetired, removeOrphans, removeUnneeded, retireUnused } from './attachments.sweep.ts'
import type { Resumable } from './uploads/resumable.ts'

export function attachmentJobs(resumable: Resumable) {
  return {
    'attachments.sweep': async (ctx, _payload, { signal }) => {
      await resumable.purge(ctx)
      await retireUnused(ctx)
      await purgeRetired(ctx)
      await removeUnneeded(ctx, signal)
    },
    'attachments.remove-orphans': (ctx, _payload, { signal }) => removeOrphans(ctx, signal),
  } satisfies Partial<JobHandlers>
}

export const attachmentSchedules: JobSchedule[] = [
  { kind: 'attachments.sweep', everyMs: 60 * 60_000 },
  { kind: 'attachments.remove-orphans', everyMs: 24 * 60 * 60_000 },
]
